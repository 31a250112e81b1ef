// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"particles/sim/param"
)

// Parse reads a scene from the bytes of a file; name is what messages call it and becomes the scene's Name. The error is
// an *Error.
func Parse(name string, data []byte) (Scene, error) {
	r := reader{file: name, scene: Default(), places: map[string]int{}}
	r.scene.Name = name
	r.read(data)
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int {
			if a.Line != b.Line {
				return a.Line - b.Line
			}
			return a.Column - b.Column
		})
		return Scene{}, &Error{r.problems}
	}
	return r.scene, nil
}

// reader is the state of one Parse.
type reader struct {
	file     string
	text     []byte
	scene    Scene
	places   map[string]int // offset of each key and table, by its dotted path
	keys     int
	problems []Problem
}

func (r *reader) read(data []byte) {
	text, at, problem := precheck(data)
	r.text = text
	if problem != "" {
		r.problemAt(at, "", problem)
		return
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		r.problems = append(r.problems, Problem{File: r.file, Text: "the file is empty: a scene needs at least a line such as " + modelLine()})
		return
	}
	if !r.findPlaces() {
		return
	}
	var doc map[string]any
	if err := toml.Unmarshal(text, &doc); err != nil {
		r.syntax(err)
		return
	}
	r.takeModel(doc)
	for key, v := range doc {
		section, isTable := v.(map[string]any)
		if f := fieldOf(key); f != nil {
			if key != "model" {
				r.take(f, v)
			}
		} else if isTable {
			r.takeSection(key, section)
		} else {
			r.unknownKey("", key, v)
		}
	}
}

func modelLine() string { return `model = "` + modelNames()[0] + `"` }

// findPlaces notes where each key stands, and refuses files with too many keys or parts of a key.
func (r *reader) findPlaces() bool {
	var p unstable.Parser
	p.Reset(r.text)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = r.place(nil, e)
		case unstable.KeyValue:
			r.placeValue(table, e)
		}
		if r.keys > MaxKeys {
			r.problemAt(0, "", fmt.Sprintf("the file has more than %d keys and tables: no scene needs that many", MaxKeys))
			return false
		}
		if len(r.problems) > 0 {
			return false
		}
	}
	return true // broken syntax is told by the full parser, with better words
}

// place notes a key or table below the path given, and returns its own path.
func (r *reader) place(above []string, n *unstable.Node) []string {
	path := slices.Clone(above)
	first := -1
	for it := n.Key(); it.Next(); {
		if first < 0 {
			first = int(it.Node().Raw.Offset)
		}
		path = append(path, string(it.Node().Data))
		if len(path) > MaxDepth {
			r.problemAt(first, "", fmt.Sprintf("a key has more than %d parts: no scene needs that", MaxDepth))
			return path
		}
		if dotted := strings.Join(path, "."); r.places[dotted] == 0 {
			r.places[dotted] = first + 1 // 0 stands for "not there"
		}
	}
	r.keys++
	return path
}

func (r *reader) placeValue(above []string, n *unstable.Node) {
	path := r.place(above, n)
	if v := n.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next() && len(r.problems) == 0; {
			if it.Node().Kind == unstable.KeyValue {
				r.placeValue(path, it.Node())
			}
		}
	}
}

// syntax tells what the TOML parser found.
func (r *reader) syntax(err error) {
	var d *toml.DecodeError
	if !errors.As(err, &d) {
		r.problems = append(r.problems, Problem{File: r.file, Text: "not valid TOML: " + err.Error()})
		return
	}
	line, column := d.Position()
	why := strings.TrimPrefix(d.Error(), "toml: ")
	if !strings.Contains(why, "already") && !strings.Contains(why, "too large") {
		why += "; look for a missing quote or bracket on this line or the one before"
	}
	r.problems = append(r.problems, Problem{
		File: r.file, Line: line, Column: column, Key: strings.Join(d.Key(), "."),
		Text: "not valid TOML: " + why,
	})
}

// takeModel comes first: what other sections may hold depends on it.
func (r *reader) takeModel(doc map[string]any) {
	v, ok := doc["model"]
	if !ok {
		r.problems = append(r.problems, Problem{File: r.file, Line: 1, Column: 1, Key: "model", Text: "model is missing: add a line such as " + modelLine() +
			" before the first section (models: " + joinNames(modelNames()) + ")"})
		return
	}
	r.take(fieldOf("model"), v)
	if name, ok := v.(string); ok {
		if _, found := group(name); !found {
			r.problem("model", fmt.Sprintf("unknown model %q%s", short(name), didYouMean(name, modelNames())))
		}
	}
}

func (r *reader) takeSection(name string, section map[string]any) {
	g, isModel := group(name)
	if g == nil {
		r.problem(name, fmt.Sprintf("unknown section [%s]%s", short(name), didYouMean(name, names(Groups()))))
		return
	}
	if _, known := group(r.scene.Model); isModel && known && name != r.scene.Model {
		r.problem(name, fmt.Sprintf("section [%s] is for model %q and this scene's model is %q: rename it to [%s], or change the model",
			name, name, r.scene.Model, r.scene.Model))
		return
	}
	for key, v := range section {
		spec := g.Find(key)
		if spec == nil {
			r.unknownKey(name, key, v)
			continue
		}
		parts, err := spec.Decode(v)
		if err != nil {
			r.problem(join(name, key), join(name, key)+": "+err.Error())
			continue
		}
		r.scene.put(name, key, parts)
	}
}

// take stores the value of a known key at the top of the file.
func (r *reader) take(f *field, v any) {
	err := f.put(&r.scene, v)
	switch {
	case errors.Is(err, errType):
		r.problem(f.key, fmt.Sprintf("%s must be %s, not %s", f.key, f.want, param.TypeName(v)))
	case err != nil:
		r.problem(f.key, f.key+": "+err.Error())
	}
}

// unknownKey says where a key that is not known may belong.
func (r *reader) unknownKey(section, key string, v any) {
	if g, _ := group(key); section == "" && g != nil {
		r.problem(key, fmt.Sprintf("%s is a section, not %s: write [%s] on a line of its own and its keys below", key, param.TypeName(v), key))
		return
	}
	where := "at the top of the file"
	if section != "" {
		where = "in section [" + section + "]"
	}
	hint := ""
	if home := r.scene.homeOf(key); home != "" && home != section {
		hint = fmt.Sprintf(": it belongs in section [%s]", home)
	} else if home == "" && fieldOf(key) != nil {
		hint = ": it belongs at the top of the file, before the first section"
	} else {
		hint = didYouMean(key, keysOf(section))
	}
	if _, isTable := v.(map[string]any); isTable {
		where = "(a section within a section) " + where
	}
	r.problem(join(section, key), fmt.Sprintf("unknown key %q %s%s", short(key), where, hint))
}

func join(section, key string) string {
	if section == "" {
		return key
	}
	return section + "." + key
}

// problem adds a problem at the place of a key.
func (r *reader) problem(path, text string) {
	at, ok := r.places[path]
	if !ok {
		r.problems = append(r.problems, Problem{File: r.file, Line: 1, Column: 1, Key: short(path), Text: text})
		return
	}
	r.problemAt(at-1, short(path), text)
}

func (r *reader) problemAt(offset int, key, text string) {
	p := Problem{File: r.file, Key: key, Text: text}
	if r.text != nil {
		p.Line, p.Column = position(r.text, offset)
	}
	r.problems = append(r.problems, p)
}
