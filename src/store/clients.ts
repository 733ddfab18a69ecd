/** The port of organizations and their clients as the operator sees them: across all tenants. */

export interface ClientRecord {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly createdAt: string
  /** When its secret was last replaced; null when it never was. */
  readonly rotatedAt: string | null
  readonly revokedAt: string | null
}

export interface OrganizationRecord {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  /** Clients that may still ask for tokens. */
  readonly clients: number
  readonly connectors: number
}

/** Every change writes an entry of the audit log with it. Times are ISO 8601 in UTC. */
export interface ClientStore {
  organizations(): Promise<readonly OrganizationRecord[]>
  createOrganization(organization: { readonly id: string; readonly name: string }, now: string): Promise<void>
  /** By age; of one organization, or of all. */
  clients(organizationId: string | null): Promise<readonly ClientRecord[]>
  /** False when there is no such organization, or the id is taken. */
  createClient(
    client: {
      readonly id: string
      readonly organizationId: string
      readonly name: string
      readonly secretHash: string
    },
    now: string,
  ): Promise<boolean>
  /** Replaces the secret; false when there is no such client, or it was revoked. */
  rotateClient(id: string, secretHash: string, now: string): Promise<boolean>
  /** From now on the client gets no token; false when there is no such client. */
  revokeClient(id: string, now: string): Promise<boolean>
}
