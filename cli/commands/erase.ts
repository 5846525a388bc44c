import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { jobQueue } from '../../adapters/jobs/job-queue.ts'
import { postgresErasureNotes } from '../../adapters/erasure-notes/postgres-erasure-notes.ts'
import { cachedKey_ms_max } from '../../adapters/personal-data/open-keys.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import type { Aggregates } from '../../application/ports.ts'
import { deletionReasons } from '../../domain/account/deletion-reasons.ts'
import type { AccountState } from '../../domain/account/state.ts'
import { systemAccountId } from '../../domain/account/system-account.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { streamName } from '../../domain/streams.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { refuseOtherImages } from '../../process/settings/served-settings.ts'
import { readSettings } from '../../process/settings/settings.ts'
import type { Store } from '../../process/store.ts'
import { readModels } from '../../projections/read-models.ts'
import { hearPublished, type PublishedPositions } from '../../projections/runner/published.ts'
import { interruptible } from '../interruptible.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import { requireQueue } from '../operator/queued-readings.ts'
import { existingPersonalDataKey } from '../personal-data-key.ts'
import { progressBar } from '../progress-bar.ts'
import { certify, checkedProof, type Proof } from '../proof/certificate.ts'
import { proveErasure } from '../proof/prove-erasure.ts'
import { accountNamed, nobody } from './account-named.ts'
import { besideServer } from './beside.ts'

export interface EraseOptions {
  /** Whether to prove afterwards that nothing is left. */
  readonly prove?: boolean
  /** A new file for the certificate; standard output by default. */
  readonly to?: string
  /** Files and folders with logs. */
  readonly logs?: readonly string[]
  /** A file with a certificate to check; nothing is erased then. */
  readonly check?: string
}

type Print = (line: string) => void

/** How long the command waits for the worker. */
const wait_ms_max = 600_000
const look_ms = 200

/**
 * Erases an account now, beside a running server whose worker does it, and waits until it is done. With `prove`, looks then for
 * all that was its holder's in everything that the instance keeps, and writes a signed certificate of what was found; an account
 * that was erased before, at its deadline for instance, is only proved. False if something is left, or if a certificate is refused.
 */
export async function erase(
  who: string | undefined,
  options: EraseOptions,
  print: Print,
  say: Print,
): Promise<boolean> {
  const { prove = false, to, logs = [], check } = options
  if (check !== undefined) return checkCertificate(check, print)
  if (who === undefined) throw new Error('Name an account, or a certificate with --check')
  if (!prove && (to !== undefined || logs.length > 0)) throw new Error('--to and --logs go with --prove')
  if (to !== undefined && existsSync(to)) throw new Error(`${to} exists already: name a new file`)
  return interruptible((signal) =>
    besideServer(async (store) => {
      const id = await accountNamed(who, store, aggregatesOf(store))
      const erased = await erasedNow(store, { who, id, signal }, say)
      if (!prove) return true
      const said = await proved(store, { id, erased, logs, signal })
      const text = `${JSON.stringify(certify(said, store.personalDataKey), null, 2)}\n`
      if (to === undefined) print(text.trimEnd())
      else await writeFile(to, text, { flag: 'wx' })
      for (const line of inWords(said)) say(line)
      if (said.found.places > 0) return false
      await postgresErasureNotes(store.database, store.personalDataKey).remove(id)
      return true
    }),
  )
}

interface Target {
  readonly who: string
  readonly id: AccountId
  readonly signal: AbortSignal
}

type Erased = Extract<AccountState, { readonly status: 'erased' }>

/** Erases the account if somebody holds it, and gives it once nobody does and the read models hold that. */
async function erasedNow(store: Store, { who, id, signal }: Target, say: Print): Promise<Erased> {
  const before = await stateOf(store, id)
  if (before.status === 'absent') throw nobody(who)
  if (before.status === 'erased') return before
  const published = await hearPublished({
    pool: store.database.pool,
    notifier: store.notifier,
    projections: readModels,
  })
  try {
    await requireServer(store, published)
    if (before.status === 'registered') await scheduleNow(store, id, before.deletion?.dueAt ?? null)
    await jobQueue(store.database).add('erase_account', { accountId: id }, { key: `erase_account ${id}` })
    const erased = await waitUntilErased(store, id, signal)
    await published.reached(await store.events.end())
    // Until then a process may still hold the key that was destroyed, this one too.
    await pause(cachedKey_ms_max, signal)
    say(`Account ${id} is erased.`)
    return erased
  } finally {
    published.close()
  }
}

async function requireServer(store: Store, published: PublishedPositions): Promise<void> {
  await requireQueue(store)
  if (!(await published.isLed()))
    throw new Error('No server runs on this instance: start it, because its worker erases accounts')
}

/** The guilds of the account are handed on, as for any deletion that somebody else than its holder schedules. */
async function scheduleNow(store: Store, id: AccountId, replaces: Timestamp | null): Promise<void> {
  await actAsOperator(store, {
    action: 'erase_account',
    target: { type: 'user', id },
    run: (context, aggregates) =>
      aggregates.account.execute(
        id,
        {
          type: 'ScheduleDeletion',
          reasonCode: deletionReasons.USER_REQUESTED,
          delay_days: 0,
          isDueAtOnce: true,
          publicReason: null,
          auditLogReason: null,
          scheduledBy: systemAccountId,
          replaces,
          now: context.now,
        },
        context,
      ),
  })
}

async function waitUntilErased(store: Store, id: AccountId, signal: AbortSignal): Promise<Erased> {
  const deadline = performance.now() + wait_ms_max
  for (;;) {
    const state = await stateOf(store, id)
    if (state.status === 'erased') return state
    if (performance.now() >= deadline)
      throw new Error(
        `Account ${id} is not erased yet: guildhall deletions prints what stands in the way. Run this again to wait on`,
      )
    await pause(look_ms, signal)
    signal.throwIfAborted()
  }
}

const aggregatesOf = ({ events, snapshots }: Store): Aggregates => openAggregates({ store: events, snapshots })

async function stateOf(store: Store, id: AccountId): Promise<AccountState> {
  return (await aggregatesOf(store).account.load(id)).state
}

interface Proving {
  readonly id: AccountId
  readonly erased: Erased
  readonly logs: readonly string[]
  readonly signal: AbortSignal
}

/** Its entry in the admin audit log says how many places were found. */
async function proved(store: Store, { id, erased, logs, signal }: Proving): Promise<Proof> {
  const settings = readSettings(process.env)
  await refuseOtherImages(store, settings)
  const erasedAt = await whenErased(store, id)
  const bar = progressBar('looking through')
  try {
    return await actAsOperator(store, {
      action: 'prove_erasure',
      target: { type: 'user', id },
      run: () =>
        proveErasure(store, {
          accountId: id,
          erasedAt,
          messagesAreAnonymous: erased.messagesAnonymised,
          settings,
          logs,
          signal,
          onProgress: (share, text) => bar.show(share, text),
        }),
      metadata: ({ found }) => ({ found_places: String(found.places) }),
    })
  } finally {
    bar.end()
  }
}

async function whenErased({ events }: Store, id: AccountId): Promise<Timestamp> {
  for await (const page of events.readStream(streamName('account', id), -1))
    for (const { type, metadata } of page) if (type === 'AccountErased') return metadata.at
  throw new Error(`Account ${id} is nobody's, and never was anybody's`)
}

function inWords({ found, keptByRule, alsoOfOthers, lookedThrough, keyIsDestroyed }: Proof): readonly string[] {
  const { events, tables, files } = lookedThrough
  const rows = tables.reduce((sum, { count }) => sum + count, 0)
  return [
    `Looked through ${events.count} events, ${rows} rows of ${tables.length} tables and ${files.count} stored files.`,
    ...(keyIsDestroyed ? [] : ['The key of the account still opens what is sealed with it.']),
    ...found.first.map(({ kind, encoding, where }) => `Left: ${kind} (${encoding}) in ${where}`),
    ...keptByRule.map(({ kind, rule, places }) => `Kept: ${kind} in ${places} places. ${rule}`),
    ...alsoOfOthers.map(({ kind, rule, places }) => `Not told apart: ${kind} in ${places} places. ${rule}`),
    found.places === 0 ? 'Nothing is left.' : `${found.places} places hold something that should be gone.`,
  ]
}

/** Needs the key of the instance alone, and no server. */
async function checkCertificate(file: string, print: Print): Promise<boolean> {
  const { personalDataKey, dataDir } = readSettings(process.env)
  const key = await existingPersonalDataKey(personalDataKey, dataDir)
  if (!key) throw new Error('There is no PERSONAL_DATA_KEY here: the key of the instance checks its certificates')
  const { account, erasedAt, found, lookedUntil } = checkedProof(await readFile(file, 'utf8'), key)
  print(`This instance signed it: account ${account}, erased at ${erasedAt}, looked for until ${lookedUntil}.`)
  print(found.places === 0 ? 'Nothing was left.' : `${found.places} places held something that should be gone.`)
  return found.places === 0
}
