// Package store keeps what the server has to remember: installations and
// repositories, deliveries, baselines and the re-audit log, what was published,
// search results, and the leases that keep replicas apart.
//
// SQLite and PostgreSQL stand behind one set of methods and one conformance
// suite. All SQL of the product is here, except what the job queue runs for
// itself. The package imports no other of this module.
package store
