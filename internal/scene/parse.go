// SPDX-License-Identifier: Apache-2.0

package scene

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
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
		if f := fieldOf("", key); f != nil {
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
			" before the first section (models: " + strings.Join(modelNames(), ", ") + ")"})
		return
	}
	r.take(fieldOf("", "model"), v)
	if name, ok := v.(string); ok {
		if _, found := model(name); !found {
			r.problem("model", fmt.Sprintf("unknown model %q%s", short(name), didYouMean(name, modelNames())))
		}
	}
}

func (r *reader) takeSection(name string, section map[string]any) {
	if m, ok := model(name); ok {
		if known, set := model(r.scene.Model); set && name != r.scene.Model {
			r.problem(name, fmt.Sprintf("section [%s] is for model %q and this scene's model is %q: rename it to [%s], or change the model", name, name, known.Name, known.Name))
			return
		}
		for key, v := range section {
			r.takeParam(m.Name, key, v)
		}
		return
	}
	if !slices.Contains(sectionNames(), name) {
		r.problem(name, fmt.Sprintf("unknown section [%s]%s", short(name), didYouMean(name, append(modelNames(), sectionNames()...))))
		return
	}
	for key, v := range section {
		if f := fieldOf(name, key); f != nil {
			r.take(f, v)
		} else {
			r.unknownKey(name, key, v)
		}
	}
}

// take stores the value of a known key.
func (r *reader) take(f *field, v any) {
	if err := f.put(&r.scene, v); err != nil {
		r.problem(f.name(), wrong(f, v, err))
	}
}

// wrong words the error of field.put.
func wrong(f *field, v any, err error) string {
	if errors.Is(err, errType) {
		return fmt.Sprintf("%s must be %s, not %s", f.name(), f.want, typeName(v))
	}
	return f.name() + ": " + err.Error()
}

// typeName describes a value of the wrong type.
func typeName(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the text %q", short(v))
	case bool:
		return fmt.Sprint(v)
	case int64:
		return fmt.Sprintf("the number %d", v)
	case float64:
		return fmt.Sprintf("the number %v", v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	case map[string]any:
		return "a section"
	}
	return "a date or time"
}

// unknownKey says where a key that is not known may belong.
func (r *reader) unknownKey(section, key string, v any) {
	if section == "" && slices.Contains(append(modelNames(), sectionNames()...), key) {
		r.problem(key, fmt.Sprintf("%s is a section, not %s: write [%s] on a line of its own and its keys below", key, typeName(v), key))
		return
	}
	where := "at the top of the file"
	if section != "" {
		where = "in section [" + section + "]"
	}
	hint := ""
	if home := r.homeOf(key); home != "" && home != section {
		hint = fmt.Sprintf(": it belongs in section [%s]", home)
	} else if home == "" && fieldOf("", key) != nil {
		hint = ": it belongs at the top of the file, before the first section"
	} else {
		hint = didYouMean(key, keysOf(section))
	}
	if _, isTable := v.(map[string]any); isTable {
		where = "(a section within a section) " + where
	}
	r.problem(join(section, key), fmt.Sprintf("unknown key %q %s%s", short(key), where, hint))
}

// homeOf gives the section that has exactly this key, or "".
func (r *reader) homeOf(key string) string {
	for _, s := range sectionNames() {
		if fieldOf(s, key) != nil {
			return s
		}
	}
	if m, ok := model(r.scene.Model); ok && slices.Contains(specNames(m.Specs), key) {
		return m.Name
	}
	return ""
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
