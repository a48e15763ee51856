package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/rubric"
)

// version is set by the linker for releases: -ldflags "-X main.version=v0.1.0".
var version = ""

// programVersion is the release, or what the build recorded of its source.
func programVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	return "devel"
}

func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and of the rubric",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.out, "rescore %s (rubric %s, %s, %s/%s)\n",
				programVersion(), rubric.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
