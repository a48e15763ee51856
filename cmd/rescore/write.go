package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// newFile is the mode of a file that was not there before, less what the umask takes.
const newFile fs.FileMode = 0o644

// writeResult writes a result to the file, or to standard output when the name
// is "" or "-". An ordinary file appears whole or not at all and keeps its mode, a
// link goes on leading to it, and a device or a pipe is written to, never replaced.
func writeResult(s streams, name string, data []byte) error {
	if name == "" || name == "-" {
		return writeStandard(s, data)
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && isStandard(s, info): // as /dev/stdout
		return writeStandard(s, data)
	case err == nil && info.IsDir():
		return inputError(fmt.Errorf("write %s: it is a directory; name a file in it", name))
	case err == nil && !info.Mode().IsRegular():
		return writeInto(name, data)
	case err == nil:
		return replace(name, data, info)
	}
	if _, err := os.Lstat(name); err == nil {
		return inputError(fmt.Errorf("write %s: it is a link that leads nowhere; remove it, or make what it leads to", name))
	}
	return replace(name, data, nil)
}

func writeStandard(s streams, data []byte) error {
	if _, err := s.out.Write(data); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// isStandard reports whether a file is what standard output leads to.
func isStandard(s streams, info fs.FileInfo) bool {
	f, ok := s.out.(*os.File)
	if !ok {
		return false
	}
	out, err := f.Stat()
	return err == nil && os.SameFile(out, info)
}

// writeInto writes to what is there and no ordinary file: a device, a pipe.
func writeInto(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return inputError(fmt.Errorf("write %s: %w", name, cause(err)))
	}
	_, err = f.Write(data)
	if err = errors.Join(cause(err), cause(f.Close())); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// replace puts a new file in the place of the old one, or where none is: old is nil.
func replace(name string, data []byte, old fs.FileInfo) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		target = name // it is not there yet
	}
	dir := filepath.Dir(target)
	tmp, err := os.OpenFile(filepath.Join(dir, ".rescore-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, newFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return inputError(fmt.Errorf("write %s: there is no directory %s; make it first", name, dir))
	case err != nil:
		return inputError(fmt.Errorf("write %s: make a file in %s: %w", name, dir, cause(err)))
	}
	_, err = tmp.Write(data)
	if old != nil {
		err = errors.Join(err, tmp.Chmod(old.Mode().Perm()))
	}
	if err = errors.Join(cause(err), cause(tmp.Close())); err == nil {
		err = cause(os.Rename(tmp.Name(), target))
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// cause is what went wrong with a file, without the name of one that nobody named.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
