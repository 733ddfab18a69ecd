/** The port of consents under way and the grants that they gave. */
import type { Tenant } from './tenant.ts'

/** Whose a grant is: what a secret_id has to be used for. */
export interface GrantBinding {
  readonly secretHash: string
  readonly externalUserId: string
  readonly connectorType: string
}

/** What a finished consent gave, sealed until a connector takes it over. */
export interface Grant extends GrantBinding {
  readonly sealed: string
  readonly expiresAt: string
}

/** A consent that a person was sent to give: found by the hash of its state. */
export interface Consent {
  readonly stateHash: string
  readonly externalUserId: string
  readonly connectorType: string
  /** Where the browser goes in the end. */
  readonly redirectUrl: string
  readonly sealed: string
  readonly expiresAt: string
}

/** Consents and grants end by themselves; those that have are removed in passing. Times are ISO 8601 in UTC. */
export interface ConsentStore {
  begin(tenant: Tenant, consent: Consent, now: string): Promise<void>
  /**
   * The consent with this state, which works once: of several takers one gets it. Null when there is none, or when it has ended.
   * The browser that brings a state has no token; the state tells whose it is.
   */
  take(stateHash: string, now: string): Promise<(Consent & { readonly organizationId: string }) | null>
  keepGrant(tenant: Tenant, grant: Grant, now: string): Promise<void>
  /** The grant, if it is this organization's, for this end user and kind; `sealed` is null once a connector has taken it over. */
  findGrant(tenant: Tenant, grant: GrantBinding, now: string): Promise<{ readonly sealed: string | null } | null>
  /** Puts renewed credentials into a grant that no connector has taken over yet. */
  renewGrant(tenant: Tenant, grant: GrantBinding, sealed: string): Promise<void>
}
