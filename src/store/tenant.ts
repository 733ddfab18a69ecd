/** The tenant: what every question to the store is bound to. */

/** Whose things a call may see. An end user of null means the whole organization. */
export interface Tenant {
  readonly organizationId: string
  readonly externalUserId: string | null
  /** The client that acts, for the audit log; left out where Conex acts by itself. */
  readonly clientId?: string
}
