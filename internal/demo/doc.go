// Package demo is the main job in one command: a stand-in GitHub and the app, both
// on loopback, an agent repository with history and a scorecard, and three pull
// requests that are answered with a check run and a comment each.
//
// It owns the scene and the two ways of showing it, in the terminal and on a local
// page. What it shows is what the app published, read back from the stand-in;
// nothing is made up here. It may import app, config, standin and testdata, and no
// stage of the pipeline.
package demo
