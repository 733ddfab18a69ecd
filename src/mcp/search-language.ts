/** The language of searches on one short page, for models. */

export const searchLanguageUri = 'conex://search-language'

export const searchLanguage = `# Search filters

A filter is an object of operators; each names fields and values, and all of them must hold.
{"eq": {"completed": false}, "gte": {"due_on": "2026-01-01"}}

- eq, neq: equal or not; {"eq": {"assignee": null}} finds records without one
- gt, gte, lt, lte: numbers, texts and times; null never matches
- in: {"in": {"status": ["open", "new"]}}
- like: the whole text matches; % is any text, _ one character, ignoring case: {"like": {"name": "%plan%"}}
- fuzzy: each word begins a word of the text, in this order: {"fuzzy": {"name": "lau pl"}}
- keyword: at least one of the words occurs whole: {"keyword": {"notes": "rocket moon"}}
- contains: a list has this element: {"contains": {"tags": "urgent"}}
- any: an element of a list of objects meets a condition: {"any": {"followers": {"eq": {"gid": "12"}}}}
- not, and, or: {"or": [{"eq": {"a": 1}}, {"not": {"eq": {"b": 2}}}]}

Fields are the searchable ones that describe lists, or paths into objects: {"eq": {"assignee.name": "Ann"}}.
sort: [{"due_on": "asc"}, {"name": "desc"}]; nulls come last. Without it, the best keyword matches come first.
fields: what to return, for example ["name", "assignee.name"].
`
