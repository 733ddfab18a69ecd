/** JSON Schemas as they are published. */

export type PublishedSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

/** Plain JSON without the keywords that only Conex reads. */
export const published = (schema: unknown): PublishedSchema =>
  JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('x-') ? undefined : value)))
