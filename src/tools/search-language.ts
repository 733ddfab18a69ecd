/** The language of searches on one short page, for models. */
import { valueOperators } from '../catalog/search-operators.ts'

export const searchLanguageUri = 'conex://search-language'

export const searchLanguage = `# Search filters

A filter is an object of operators; each names fields and values, and all of them must hold.
{"eq": {"completed": false}, "gte": {"due_on": "2026-01-01"}}

${Object.entries(valueOperators)
  .map(([name, meaning]) => `- ${name}: ${meaning}`)
  .join('\n')}
- in: the field has one of these values: {"in": {"status": ["open", "new"]}}
- any: an element of a list of objects meets a condition: {"any": {"followers": {"eq": {"gid": "12"}}}}
- not, and, or: {"or": [{"eq": {"a": 1}}, {"not": {"eq": {"b": 2}}}]}

like, startswith, endswith, contains, fuzzy and keyword ignore the case of texts. {"eq": {"assignee": null}} finds records without
one; gt, gte, lt and lte never match null.

Fields are the searchable ones that describe lists, or paths into objects: {"eq": {"assignee.name": "Ann"}}.
sort: [{"due_on": "asc"}, {"name": "desc"}]; nulls come last. Without it, the best keyword matches come first.
fields: what to return, for example ["name", "assignee.name"].
`
