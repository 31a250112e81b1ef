// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const simple = "title = \"mine\"\nmodel = \"flow\"\n"

func put(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(simple), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBuiltinScenesLoadAndAreDescribed(t *testing.T) {
	names := Builtin()
	if len(names) < 4 || names[0] != DefaultName {
		t.Fatalf("built-in scenes are %v", names)
	}
	perModel := map[string]int{}
	for _, name := range names {
		s, err := Load(name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		perModel[s.Model]++
		if s.Title == "" || s.Description == "" || s.Name != name {
			t.Errorf("%s: title %q, description %q, name %q", name, s.Title, s.Description, s.Name)
		}
		if back, err := Parse(name, s.Encode()); err != nil || back.Title != s.Title {
			t.Errorf("%s: written and read back: %v", name, err)
		}
	}
	for _, m := range modelNames() {
		if perModel[m] < 2 {
			t.Errorf("model %s has %d scenes, want at least 2", m, perModel[m])
		}
	}
}

func TestABuiltinNameWinsUnlessThePathSaysFile(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, DefaultName)
	put(t, DefaultName+".toml")
	put(t, "other.toml")
	if s, err := Load(DefaultName); err != nil || s.Title == "mine" {
		t.Errorf("%v, %q", err, s.Title)
	}
	for _, path := range []string{"./" + DefaultName, DefaultName + ".toml", "other.toml", "other"} {
		if s, err := Load(path); err != nil || s.Title != "mine" {
			t.Errorf("%s: %v, %q", path, err, s.Title)
		}
	}
}

func TestPathsOfAllKindsLoad(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"with two  spaces", `quote'and"quote`, "łódź – Ωmega 粒子", "-starts-with-dash", "%41 percent", strings.Repeat("d", 200),
	} {
		path := filepath.Join(dir, name, name+".toml")
		put(t, path)
		if s, err := Load(path); err != nil || s.Name != path {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestMissingScenesSayWhatWasTried(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, want := range map[string][]string{
		"ribons":        {`unknown scene "ribons"`, `did you mean "ribbons"`, "tried ribons and ribons.toml"},
		"./ribbons":     {"scene file ./ribbons", "does not exist", `built-in scene is called "ribbons"`},
		"no/where.toml": {"no/where.toml", "does not exist"},
		"":              {"name is empty"},
	} {
		_, err := Load(name)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %v, want %q", name, err, w)
			}
		}
	}
	if _, err := Load("ribons"); !errors.Is(err, ErrUnknownScene) {
		t.Errorf("%v is no ErrUnknownScene", err)
	}
	if _, err := Load("./x.toml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is no ErrNotExist", err)
	}
	if err := os.Mkdir("folder.toml", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Load("folder.toml"); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("%v", err)
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"pipe.toml", "bare.toml"} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
	}
	put(t, "real.toml")
	for link, to := range map[string]string{"toPipe.toml": "pipe.toml", "toDevice.toml": os.DevNull, "toFile.toml": "real.toml"} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"pipe.toml": "a pipe", "bare": "bare.toml: it is a pipe", "toPipe.toml": "a pipe", "toDevice.toml": "a device", os.DevNull: "a device", ".": "a folder",
	} {
		done := make(chan error, 1)
		go func() {
			_, err := Load(name)
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: still waiting", name)
		}
	}
	if s, err := Load("toFile.toml"); err != nil || s.Title != "mine" {
		t.Errorf("through a link: %v, %q", err, s.Title)
	}
}

func TestAFileThatIsTooBigIsToldWithItsSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.toml")
	for size, want := range map[int64]string{
		MaxSize + 1: "has 1048577 bytes", 2_000_000: "has 2000000 bytes", MaxSize: "zero byte",
	} {
		put(t, path)
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		var e *Error
		if _, err := Load(path); !errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%d bytes: %v, want %q", size, err, want)
		}
	}
}
