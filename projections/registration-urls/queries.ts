import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import type {
  PendingRegistration,
  RegistrationQueries,
  RegistrationUrlRecord,
} from '../../application/ports/queries/registration-queries.ts'
import type { RegistrationUrlId } from '../../domain/ids/ids.ts'
import { accountIdColumn, instantColumn, textColumn } from '../columns.ts'

/** Rows of one list. */
const listedRegistrations_max = 1000

const registrationUrlIdColumn = textColumn<RegistrationUrlId>()

const urlRow = z
  .object({
    id: registrationUrlIdColumn,
    label: z.string().nullable(),
    created_by: accountIdColumn.nullable(),
    created_at: instantColumn,
    expires_at: instantColumn.nullable(),
    max_uses: z.int().nullable(),
    use_count: z.int(),
    revoked_at: instantColumn.nullable(),
    approval_required: z.boolean(),
    last_used_at: instantColumn.nullable(),
    last_used_by: accountIdColumn.nullable(),
  })
  .transform((row): RegistrationUrlRecord => ({
    id: row.id,
    label: row.label,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    maxUses: row.max_uses,
    useCount: row.use_count,
    revokedAt: row.revoked_at,
    approvalRequired: row.approval_required,
    lastUsedAt: row.last_used_at,
    lastUsedBy: row.last_used_by,
  }))

const pendingRow = z
  .object({
    account_id: accountIdColumn,
    username: z.string(),
    discriminator: z.int(),
    global_name: z.string().nullable(),
    email: z.string().nullable(),
    registered_at: instantColumn,
    registration_url_id: registrationUrlIdColumn.nullable(),
    registered_from: z.string().nullable(),
  })
  .transform((row): PendingRegistration => ({
    accountId: row.account_id,
    username: row.username,
    discriminator: row.discriminator,
    globalName: row.global_name,
    email: row.email,
    requestedAt: row.registered_at,
    registrationUrlId: row.registration_url_id,
    clientIp: row.registered_from,
  }))

const idRow = z.object({ id: registrationUrlIdColumn }).transform(({ id }) => id)

/** Queries over registrations that wait for approval, and over registration URLs. */
export function registrationQueries(database: Queries): RegistrationQueries {
  return {
    pending: () =>
      database.any(sql.type(pendingRow)`
        select id as account_id, username, discriminator, global_name, email, registered_at, registration_url_id,
          registered_from
        from accounts.accounts where admission = 'pending' order by registered_at, id limit ${listedRegistrations_max}`),
    urls: () =>
      database.any(sql.type(urlRow)`
        select id, label, created_by, created_at, expires_at, max_uses, use_count, revoked_at, approval_required,
          last_used_at, last_used_by
        from registration_urls.urls order by created_at desc, id desc limit ${listedRegistrations_max}`),
    urlByCode: (codeHash) =>
      database.maybeOne(sql.type(idRow)`select id from registration_urls.urls where code_hash = ${codeHash}`),
  }
}
