/** Consents under way and the grants that they gave. Both end by themselves; those that have are removed in passing. Times are ISO 8601 in UTC. */
import type { ExpressionBuilder } from 'kysely'
import { type AuditEntry, writeAudit } from './audit.ts'
import { writeEvents } from './events.ts'
import { change, first, type Queries, type Query, type Steps } from './sql/steps.ts'
import { db, type Row, type Tables } from './sql/tables.ts'
import type { Tenant } from './tenant.ts'

/** A consent that a person was sent to give: found by the hash of its state. */
export type Consent = Readonly<Omit<Row<'consents'>, 'organizationId'>>

/** What a finished consent gave, sealed until a connector takes it over. */
export type Grant = GrantBinding & { readonly sealed: string; readonly expiresAt: string }

/** The owner of a grant, for whom alone its secret_id works. */
export type GrantBinding = Readonly<Pick<Row<'grants'>, 'secretHash' | 'externalUserId' | 'connectorType'>>

export function consentStore(queries: Queries) {
  /** Adds a row, with an entry in the audit log and what else is to be written, and removes those that have ended. */
  async function add(
    table: 'consents' | 'grants',
    row: Query<unknown>,
    tenant: Tenant,
    entry: AuditEntry,
    then: () => Steps<void> = function* () {},
  ) {
    // Apart from all else, so that no two wait for each other over them.
    await queries.run(change(db.deleteFrom(table).where('expiresAt', '<=', entry.at)))
    await queries.transaction(function* () {
      if ((yield* change(row)) === 0) return
      yield* writeAudit(tenant, entry)
      yield* then()
    })
  }

  return {
    begin(tenant: Tenant, consent: Consent, now: string) {
      const row = db.insertInto('consents').values({ ...consent, organizationId: tenant.organizationId })
      return add('consents', row, tenant, { event: 'consent.begun', at: now, ...about(consent) })
    },

    /**
     * The consent with this state, which works once: of several takers one gets it. Null when there is none, or when it has ended.
     * The browser that brings a state has no token; the state tells whose it is.
     */
    async take(stateHash: string, now: string) {
      // Of several who take it at once one gets the row that it deletes.
      const row = await queries.run(first(db.deleteFrom('consents').where('stateHash', '=', stateHash).returningAll()))
      return row === undefined || row.expiresAt <= now ? null : row
    },

    keepGrant(tenant: Tenant, grant: Grant, now: string) {
      const row = db.insertInto('grants').values({ ...grant, organizationId: tenant.organizationId })
      // A repeat whose first try was kept, but not answered.
      const once = row.onConflict((conflict) => conflict.doNothing())
      const entry = { event: 'consent.given', at: now, ...about(grant) } as const
      return add('grants', once, tenant, entry, () =>
        writeEvents(tenant, subjectOf(grant), { type: 'consent.finished', at: now, details: {} }),
      )
    },

    /** Notes that a consent came to nothing, and why. */
    fail: (tenant: Tenant, consent: ConsentSubject, reason: string, now: string) =>
      queries.transaction(function* () {
        const { externalUserId, details } = about(consent)
        const entry = { event: 'consent.failed', at: now, externalUserId, details: { ...details, reason } } as const
        yield* writeAudit(tenant, entry)
        yield* writeEvents(tenant, subjectOf(consent), { type: 'consent.failed', at: now, details: { reason } })
      }),

    /** The grant, if it is this organization's, for this end user and kind; `sealed` is null once a connector has taken it over. */
    async findGrant(tenant: Tenant, grant: GrantBinding, now: string) {
      const query = db.selectFrom('grants').select('sealed').where(boundTo(tenant, grant)).where('expiresAt', '>', now)
      return (await queries.run(first(query))) ?? null
    },

    /** Puts renewed credentials into a grant that no connector has taken over yet. */
    async renewGrant(tenant: Tenant, grant: GrantBinding, sealed: string) {
      await queries.run(replaceSealed(tenant, grant, sealed))
    },
  }
}

/** Whose consent it is, and for which kind. */
export type ConsentSubject = Pick<Consent, 'externalUserId' | 'connectorType'>

const subjectOf = ({ externalUserId, connectorType }: ConsentSubject) => ({
  connectorId: null,
  externalUserId,
  connectorType,
})

const about = ({ externalUserId, connectorType }: ConsentSubject) => ({
  externalUserId,
  details: { connector_type: connectorType },
})

/** True of the grant of this organization, end user and kind; goes into the WHERE of every query over grants. */
const boundTo =
  ({ organizationId, ...tenant }: Tenant, { secretHash, externalUserId, connectorType }: GrantBinding) =>
  (where: ExpressionBuilder<Tables, 'grants'>) =>
    where.and([
      where.and({ organizationId, secretHash, externalUserId, connectorType }),
      where('externalUserId', '=', tenant.externalUserId ?? externalUserId),
    ])

/** Changes what a grant holds; gives 0 when a connector has taken it over. */
const replaceSealed = (tenant: Tenant, grant: GrantBinding, sealed: string | null): Steps<number> =>
  change(db.updateTable('grants').set({ sealed }).where(boundTo(tenant, grant)).where('sealed', 'is not', null))

/** Takes the sealed credentials out of a grant; false if another use has taken them before. Part of the caller's transaction. */
export function* spendGrant(tenant: Tenant, grant: GrantBinding): Steps<boolean> {
  return (yield* replaceSealed(tenant, grant, null)) > 0
}
