/** The documents that a server gives of itself, as a handler sends them. */

export interface Document {
  readonly body: Buffer
  /** Changes with the body. */
  readonly etag: string
}

export interface Documents {
  /** As JSON. */
  readonly openApi: () => Promise<Document>
  /** As a page for people. */
  readonly page: () => Promise<Document>
}
