import { Refused } from '../../application/commands/refused.ts'
import type {
  PendingRegistrationObject,
  RegistrationUrlObject,
} from '../../application/wire-objects/administration/registration-objects.ts'
import {
  decideRegistration,
  listPendingRegistrations,
  type RegistrationDecision,
} from '../../application/identity/registrations/pending-registrations.ts'
import {
  createRegistrationUrl,
  listRegistrationUrls,
  revokeRegistrationUrl,
  type RegistrationUrlWishes,
} from '../../application/identity/registrations/registration-urls.ts'
import { accountId, registrationUrlId } from '../../domain/ids/ids.ts'
import { parseSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { registrationUrlLimits } from '../../domain/registration-url/state.ts'
import { lengthOf } from '../../domain/text/normalise.ts'
import { actAsOperator, noTargetId } from '../operator/act-as-operator.ts'
import { openQueries } from '../../projections/read-models.ts'
import { servedSettings } from '../../process/settings/served-settings.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { besideServer } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'

type Print = (line: string) => void

/** Prints the accounts that wait for approval, the longest waiting first. */
export async function pendingRegistrations(print: Print): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const waiting = await listPendingRegistrations({ queries: openQueries(store.database) })()
    for (const pending of waiting) print(pendingLine(pending))
    if (waiting.length === 0) print('No account waits for approval.')
  })
}

/** Approves or rejects a waiting account. */
export async function decidePending(who: string, decision: RegistrationDecision, print: Print): Promise<void> {
  const id = accountId(idIn(who))
  await changeBesideServer({ print }, async (store) => {
    const deciding = actAsOperator(store, {
      action: decision === 'approved' ? 'approve_registration' : 'reject_registration',
      target: { type: 'user', id },
      run: (context, aggregates) => decideRegistration({ aggregates })(context, id, decision),
    })
    await refusalsSaid(who, deciding)
    print(`The registration of account ${id} is ${decision}.`)
  })
}

export interface UrlOptions {
  readonly label?: string
  readonly expires?: string
  readonly maxUses?: string
  readonly approval?: boolean
}

/** Makes a registration URL and prints it. It is shown only this once. */
export async function newRegistrationUrl(options: UrlOptions, print: Print): Promise<void> {
  const wishes = wishesIn(options)
  await changeBesideServer({ print }, async (store) => {
    const instance = await servedSettings(store)
    const {
      registration_url: made,
      code,
      url,
    } = await actAsOperator(store, {
      action: 'create_registration_url',
      target: { type: 'registration_url', id: noTargetId },
      run: (context, aggregates) => createRegistrationUrl({ aggregates, instance })(context, wishes),
      metadata: ({ registration_url: { id } }) => ({ registration_url_id: id }),
    })
    print(`Registration URL ${made.id}: ${url}`)
    print(`Its code, which is not shown again: ${code}`)
  })
}

/** Prints the registration URLs, newest first, without their codes, which are not stored. */
export async function registrationUrls(print: Print): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const urls = await listRegistrationUrls({ queries: openQueries(store.database) })()
    for (const url of urls) print(urlLine(url))
    if (urls.length === 0) print('There are no registration URLs.')
  })
}

/** Revokes a registration URL. Accounts that used it stay. */
export async function dropRegistrationUrl(text: string, print: Print): Promise<void> {
  const id = registrationUrlId(idIn(text))
  await changeBesideServer({ print }, async (store) => {
    await actAsOperator(store, {
      action: 'revoke_registration_url',
      target: { type: 'registration_url', id },
      async run(context, aggregates) {
        const { state } = await aggregates.registrationUrl.load(id)
        if (state.status === 'absent') throw new Error(`There is no registration URL ${id}`)
        await revokeRegistrationUrl({ aggregates })(context, id)
      },
    })
    print(`Registration URL ${id} is revoked.`)
  })
}

function idIn(text: string): Snowflake {
  const parsed = parseSnowflake(text)
  if (!parsed.ok) throw new Error(`${text} is not an id`)
  return parsed.id
}

function wishesIn({ label, expires, maxUses, approval }: UrlOptions): RegistrationUrlWishes {
  const { label: characters, maxUses: uses } = registrationUrlLimits
  if (label !== undefined && (lengthOf(label) < 1 || lengthOf(label) > characters.max))
    throw new Error(`--label must have 1 to ${characters.max} characters`)
  const limit = maxUses === undefined ? null : Number(maxUses)
  if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= uses.max))
    throw new Error(`--max-uses ${maxUses} is not a number from 1 to ${uses.max}`)
  return {
    label: label ?? null,
    expiresAt: expires === undefined ? null : instantIn(expires),
    maxUses: limit,
    approvalRequired: approval ?? false,
  }
}

function instantIn(text: string): Timestamp {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || ms <= Date.now())
    throw new Error(`--expires ${text} is not a time in the future, such as 2030-01-31T12:00Z`)
  return timestamp(ms)
}

async function refusalsSaid(who: string, decision: Promise<unknown>): Promise<void> {
  try {
    await decision
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.refusal.code === 'UNKNOWN_USER') throw new Error(`There is no account ${who}`, { cause: error })
    throw new Error(`Account ${who} is in already: it can't be rejected any more`, { cause: error })
  }
}

function pendingLine(pending: PendingRegistrationObject): string {
  const tag = `${pending.username}#${pending.discriminator.toString().padStart(4, '0')}`
  const since = `since ${pending.requested_at}`
  const by = pending.registration_url_id === null ? '' : `by registration URL ${pending.registration_url_id}`
  return [pending.user_id, tag, pending.email ?? '', since, pending.client_ip ?? '', by].filter(Boolean).join('  ')
}

function urlLine(url: RegistrationUrlObject): string {
  const uses = `used ${url.use_count}${url.max_uses === null ? '' : ` of ${url.max_uses}`}`
  const standing = url.revoked_at === null ? '' : `revoked ${url.revoked_at}`
  const end = url.expires_at === null ? '' : `until ${url.expires_at}`
  const approval = url.approval_required ? 'with approval' : ''
  return [url.id, url.label ?? '', uses, end, approval, standing].filter(Boolean).join('  ')
}
