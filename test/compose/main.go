// Holds a compose file against the compose specification: unknown keys, wrong types and conditions, and services and volumes that
// are used but not defined. Prints what is wrong and exits with 1, or exits with 0.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: composecheck FILE")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func check(file string) error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithWorkingDirectory(filepath.Dir(file)), cli.WithInterpolation(true))
	if err != nil {
		return err
	}
	_, err = options.LoadProject(context.Background())
	return err
}
