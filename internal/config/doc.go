// Package config is the configuration of `rescore serve`: read from a YAML file
// and the environment, checked as a whole, with every problem named at once.
//
// Every key can be given both ways and the environment wins. Secrets come from
// the environment or from files of their own, never from the YAML file. Of this
// module it imports judge/known alone, for the names of the judges.
package config
