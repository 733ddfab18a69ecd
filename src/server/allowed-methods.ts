/** Which methods an address takes, for requests that come with another one. It says nothing of whether what the address names exists. */
import type { Route } from './route.ts'

/** Finds the methods of a path, as an Allow header lists them; none where there is no such path. */
export function allowedMethods(routes: readonly Route[]): (path: string) => readonly string[] {
  const known = new Map<string, { readonly form: RegExp; readonly methods: Set<string> }>()
  for (const { method, path, aliases = [], withoutHead } of routes)
    for (const address of [path, ...aliases]) {
      const { methods } =
        known.get(address) ?? known.set(address, { form: formOf(address), methods: new Set() }).get(address)!
      methods.add(method)
      if (method === 'GET' && withoutHead !== true) methods.add('HEAD')
      methods.add('OPTIONS')
    }
  const forms = [...known.values()]
  return (path) => [...new Set(forms.filter(({ form }) => form.test(path)).flatMap(({ methods }) => [...methods]))]
}

const formOf = (address: string): RegExp =>
  new RegExp(`^${address.replaceAll('.', '\\.').replaceAll(/:[a-z_]+/g, '[^/]+')}$`)
