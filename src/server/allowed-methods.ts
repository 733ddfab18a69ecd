/**
 * The methods that an address allows, for requests with another method. Reveals nothing about whether the resource
 * exists.
 */
import type { Route } from './route.ts'

/** Returns the methods of a path in the form of an Allow header; an empty list if there is no such path. */
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
