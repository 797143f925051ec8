// What Go is compiled with to note the calls that tests make of a product, and the program that makes them again in a plain process. Text only.

const PLAIN = `
func lwPlain(t reflect.Type, depth int) bool {
	if depth > 6 {
		return false
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	case reflect.Slice, reflect.Array:
		return lwPlain(t.Elem(), depth+1)
	case reflect.Map:
		return t.Key().Kind() == reflect.String && lwPlain(t.Elem(), depth+1)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if t.Field(i).PkgPath != "" || t.Field(i).Tag.Get("json") != "" || !lwPlain(t.Field(i).Type, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

var lwErrorType = reflect.TypeOf((*error)(nil)).Elem()

func lwCame(results []reflect.Value) map[string]interface{} {
	out := []interface{}{}
	for _, one := range results {
		if one.Type() == lwErrorType {
			out = append(out, map[string]interface{}{"$error": !one.IsNil()})
		} else if kind := one.Kind(); (kind == reflect.String || kind == reflect.Slice || kind == reflect.Map) && one.Len() > 100000 {
			return map[string]interface{}{"live": true}
		} else if lwPlain(one.Type(), 0) {
			out = append(out, one.Interface())
		} else {
			return map[string]interface{}{"live": true}
		}
	}
	return map[string]interface{}{"value": out}
}
`;

/** What an object is made of, its hidden fields as well. Whole numbers are texts: who reads them knows no large ones. */
const OBJECTS = `
type lwObject struct {
	whole interface{}
}

func lwOpened(value reflect.Value) reflect.Value {
	return reflect.NewAt(value.Type(), unsafe.Pointer(value.UnsafeAddr())).Elem()
}

func lwHeld(t reflect.Type, depth int) bool {
	if depth > 6 {
		return false
	}
	switch t.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	case reflect.Slice:
		return lwHeld(t.Elem(), depth+1)
	case reflect.Map:
		return t.Key().Kind() == reflect.String && lwHeld(t.Elem(), depth+1)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if !lwHeld(t.Field(i).Type, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

func lwTold(value reflect.Value) interface{} {
	switch value.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(value.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(value.Uint(), 10)
	case reflect.Bool:
		return value.Bool()
	case reflect.String:
		return value.String()
	case reflect.Float32, reflect.Float64:
		return value.Float()
	case reflect.Slice:
		if value.IsNil() {
			return nil
		}
		all := []interface{}{}
		for i := 0; i < value.Len(); i++ {
			all = append(all, lwTold(value.Index(i)))
		}
		return all
	case reflect.Map:
		if value.IsNil() {
			return nil
		}
		all := map[string]interface{}{}
		for _, key := range value.MapKeys() {
			all[key.String()] = lwTold(value.MapIndex(key))
		}
		return all
	}
	all := map[string]interface{}{}
	for i := 0; i < value.NumField(); i++ {
		all[value.Type().Field(i).Name] = lwTold(value.Field(i))
	}
	return all
}

func lwMade(value reflect.Value, told interface{}) bool {
	switch value.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		text, isText := told.(string)
		number, err := strconv.ParseInt(text, 10, 64)
		if !isText || err != nil {
			return false
		}
		value.SetInt(number)
		return true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		text, isText := told.(string)
		number, err := strconv.ParseUint(text, 10, 64)
		if !isText || err != nil {
			return false
		}
		value.SetUint(number)
		return true
	case reflect.Bool:
		is, isBool := told.(bool)
		value.SetBool(is)
		return isBool
	case reflect.String:
		text, isText := told.(string)
		value.SetString(text)
		return isText
	case reflect.Float32, reflect.Float64:
		number, isNumber := told.(float64)
		value.SetFloat(number)
		return isNumber
	case reflect.Slice:
		all, isList := told.([]interface{})
		if told == nil {
			return true
		}
		value.Set(reflect.MakeSlice(value.Type(), len(all), len(all)))
		for i, one := range all {
			if !lwMade(value.Index(i), one) {
				return false
			}
		}
		return isList
	}
	if told == nil && value.Kind() == reflect.Map {
		return true
	}
	all, isMap := told.(map[string]interface{})
	if !isMap {
		return false
	}
	if value.Kind() == reflect.Map {
		value.Set(reflect.MakeMap(value.Type()))
		for key, one := range all {
			held := reflect.New(value.Type().Elem()).Elem()
			if !lwMade(held, one) {
				return false
			}
			value.SetMapIndex(reflect.ValueOf(key).Convert(value.Type().Key()), held)
		}
		return true
	}
	if value.Kind() != reflect.Struct || len(all) != value.NumField() {
		return false
	}
	for i := 0; i < value.NumField(); i++ {
		one, isThere := all[value.Type().Field(i).Name]
		if !isThere || !lwMade(lwOpened(value.Field(i)), one) {
			return false
		}
	}
	return true
}
`;

/** One more file of each package. */
export const goRecorder = (packageName: string, word: string, report: string, mostEach: number): string => `package ${packageName}

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"sync"
	"unsafe"
)
${`${PLAIN}${OBJECTS}`.replaceAll("lw", word)}
func ${word}Self(pointer interface{}) interface{} {
	value := reflect.ValueOf(pointer)
	if value.IsNil() || !${word}Held(value.Type().Elem(), 0) {
		return nil
	}
	return ${word}Object{${word}Told(value.Elem())}
}

func (object ${word}Object) MarshalJSON() ([]byte, error) {
	return json.Marshal(object.whole)
}

var ${word}Lock sync.Mutex
var ${word}Depth int
var ${word}Seen = map[string]map[string]bool{}

func ${word}Note(path string, name string, args []interface{}) (json.RawMessage, bool) {
	${word}Lock.Lock()
	defer ${word}Lock.Unlock()
	${word}Depth++
	mine := ${word}Seen[path+name]
	if mine == nil {
		mine = map[string]bool{}
		${word}Seen[path+name] = mine
	}
	if ${word}Depth > 1 || len(mine) >= ${mostEach} {
		return nil, false
	}
	for _, one := range args {
		if _, isSelf := one.(${word}Object); isSelf {
			continue
		}
		if one == nil || !${word}Plain(reflect.TypeOf(one), 0) {
			return nil, false
		}
	}
	asked, err := json.Marshal(args)
	if err != nil || len(asked) > 20000 || mine[string(asked)] {
		return nil, false
	}
	mine[string(asked)] = true
	return asked, true
}

func ${word}Done(path string, name string, asked json.RawMessage, isNoted bool, pointers []interface{}, threw interface{}) {
	${word}Lock.Lock()
	defer ${word}Lock.Unlock()
	${word}Depth--
	if !isNoted {
		return
	}
	came := map[string]interface{}{"threw": "panic"}
	if threw == nil {
		results := []reflect.Value{}
		for _, one := range pointers {
			results = append(results, reflect.ValueOf(one).Elem())
		}
		came = ${word}Came(results)
	}
	line, err := json.Marshal(map[string]interface{}{"path": path, "name": name, "args": asked, "came": came})
	if err != nil {
		return
	}
	file, err := os.OpenFile(${JSON.stringify(report)}, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		file.Write(append(line, '\\n'))
		file.Close()
	}
}
`;

const NOTHING_NOTED = `
func lwBegin()         {}
func lwStrayed() []int { return nil }
func lwForce(int)      {}
`;
const QUESTIONS_NOTED = `
func lwBegin()         { lwtook.Begin() }
func lwStrayed() []int { return lwtook.Strayed() }
func lwForce(at int)   { lwtook.Force(at) }
`;

export interface GoFunction {
  readonly path: string;
  readonly name: string;
  /** How its package is imported, and called here. */
  readonly importPath: string;
  readonly alias: string;
}

/** A function, or a method as the function that it is of its object. */
const inPackage = (alias: string, name: string): string => {
  const [, pointer, type, method] = METHOD.exec(name) ?? [];
  return type === undefined ? `${alias}.${name}` : `(${pointer}${alias}.${type}).${method}`;
};

const METHOD = /^\((\*?)(\w+)\)\.(\w+)$/;

/** How it stands in its file. */
export const declaredIn = (name: string): RegExp => {
  const [, pointer, type, method] = METHOD.exec(name) ?? [];
  return new RegExp(
    type === undefined ? `^func ${name}\\(` : `^func \\(\\s*\\w+\\s+${pointer ? "\\*\\s*" : ""}${type}\\s*\\)\\s*${method}\\(`,
    "m",
  );
};

/** `took` is the package that notes questions, if one is noted. */
export const goPlayer = (functions: readonly GoFunction[], took?: string): string => {
  const imports = [...new Map(functions.map(({ importPath, alias }) => [importPath, alias]))];
  return `package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unsafe"
${imports.map(([path, alias]) => `\t${alias} ${JSON.stringify(path)}`).join("\n")}
${took === undefined ? "" : `\tlwtook ${JSON.stringify(took)}`}
)
${PLAIN}${OBJECTS}
var lwFunctions = map[string]reflect.Value{
${functions.map(({ path, name, alias }) => `\t${JSON.stringify(`${path}#${name}`)}: reflect.ValueOf(${inPackage(alias, name)}),`).join("\n")}
}

type lwCall struct {
	Path  string            \`json:"path"\`
	Name  string            \`json:"name"\`
	Args  []json.RawMessage \`json:"args"\`
	Again bool              \`json:"again"\`
}

${took === undefined ? NOTHING_NOTED : QUESTIONS_NOTED}
func lwAsk(call lwCall) (came map[string]interface{}) {
	function := lwFunctions[call.Path+"#"+call.Name]
	if !function.IsValid() || function.Type().NumIn() != len(call.Args) {
		return nil
	}
	in := []reflect.Value{}
	for at, text := range call.Args {
		value := reflect.New(function.Type().In(at))
		if at == 0 && strings.HasPrefix(call.Name, "(") {
			var told interface{}
			itself := value.Elem()
			if itself.Kind() == reflect.Ptr {
				itself.Set(reflect.New(itself.Type().Elem()))
				itself = itself.Elem()
			}
			if json.Unmarshal(text, &told) != nil || !lwMade(itself, told) {
				return nil
			}
			in = append(in, value.Elem())
			continue
		}
		if json.Unmarshal(text, value.Interface()) != nil {
			return nil
		}
		in = append(in, value.Elem())
	}
	defer func() {
		if threw := recover(); threw != nil {
			came = map[string]interface{}{"threw": "panic"}
		}
	}()
	if function.Type().IsVariadic() {
		return lwCame(function.CallSlice(in))
	}
	return lwCame(function.Call(in))
}

func main() {
	text, _ := os.ReadFile(os.Args[1])
	out, _ := os.Create(os.Args[2])
	os.Args = os.Args[:1]
	var asked struct {
		Calls   []lwCall \`json:"calls"\`
		AgainMs int      \`json:"againMs"\`
		Skip    []int    \`json:"skip"\`
	}
	if json.Unmarshal(text, &asked) != nil {
		return
	}
	say := func(what map[string]interface{}) string {
		line, err := json.Marshal(what)
		if err != nil {
			return ""
		}
		out.Write(append(line, '\\n'))
		return string(line)
	}
	text1 := func(what interface{}) string {
		line, _ := json.Marshal(what)
		return strings.TrimSpace(string(line))
	}
	first := map[int]string{}
	order := []int{}
	skip := map[int]bool{}
	for _, at := range asked.Skip {
		skip[at] = true
	}
	for at, call := range asked.Calls {
		if skip[at] {
			continue
		}
		say(map[string]interface{}{"begun": at})
		lwBegin()
		came := lwAsk(call)
		strayed := lwStrayed()
		if came == nil {
			continue
		}
		say(map[string]interface{}{"at": at, "came": came})
		if strings.HasPrefix(call.Name, "(") {
			strayed = nil
		}
		for _, condition := range strayed {
			lwForce(condition)
			rival := lwAsk(call)
			lwForce(-1)
			say(map[string]interface{}{"at": at, "condition": condition, "rival": rival})
		}
		first[at] = text1(came)
		if call.Again {
			order = append(order, at)
		}
	}
	until := time.Now().Add(time.Duration(asked.AgainMs) * time.Millisecond)
	told := map[int]bool{}
	for turn := 0; len(order) > 0 && turn < 2000 && time.Now().Before(until); turn++ {
		for _, at := range order {
			if told[at] {
				continue
			}
			if now := lwAsk(asked.Calls[at]); text1(now) != first[at] {
				told[at] = true
				say(map[string]interface{}{"at": at, "again": now})
			}
			if !time.Now().Before(until) {
				break
			}
		}
	}
	say(map[string]interface{}{"ended": true})
}
`;
};
