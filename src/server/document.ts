/** The server's documents, ready to send. */

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
