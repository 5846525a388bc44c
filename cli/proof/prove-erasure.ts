import { findValues } from '../../adapters/erasure-notes/find-values.ts'
import type { NotedValues } from '../../adapters/erasure-notes/noted-values.ts'
import { postgresErasureNotes } from '../../adapters/erasure-notes/postgres-erasure-notes.ts'
import { encodings, inText_bytes_min, looked_bytes_min } from '../../adapters/erasure-notes/value-forms.ts'
import { openOutbox } from '../../adapters/mail/outbox.ts'
import { timestamp, type Timestamp } from '../../domain/kernel/timestamp.ts'
import { accountId, type AccountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { byteStoreLocation, openByteStore } from '../../process/open-byte-store.ts'
import { productVersion } from '../../process/product-version.ts'
import type { Settings } from '../../process/settings/settings.ts'
import type { Store } from '../../process/store.ts'
import type { Proof } from './certificate.ts'
import { openFindings } from './findings.ts'
import { lookThroughEvents, type Looking, type LookedThrough } from './look-through-events.ts'
import { anyForm, lookThroughLogs, lookThroughStore } from './look-through-files.ts'
import { lookThroughTables } from './look-through-tables.ts'

export interface ProvingWishes {
  readonly accountId: AccountId
  readonly erasedAt: Timestamp
  readonly messagesAreAnonymous: boolean
  readonly settings: Pick<Settings, 'dataDir' | 'mediaUrl' | 'eventStoreUrl'>
  /** Files and folders with logs of the instance. */
  readonly logs: readonly string[]
  readonly signal: AbortSignal
  readonly onProgress: Looking['onProgress']
}

/** Its rows are looked through as events, through the port that any event store has. */
const eventTable = 'event_store.events'

/** Which share of the work each part is taken for. */
const shares = { events: [0, 0.5], tables: [0.5, 0.9], files: [0.9, 0.97], rest: [0.97, 1] } as const

/** There is nothing to compare with. */
export class NothingNoted extends Error {
  override readonly name = 'NothingNoted'
}

/**
 * Looks for what was noted of an erased account in everything that the instance keeps, and gives what was looked through and
 * found. Rejects with NothingNoted if the account has no note.
 */
export async function proveErasure(store: Store, wishes: ProvingWishes): Promise<Proof> {
  const { database, personalDataKey, keys } = store
  const { accountId: account, settings, logs, signal, onProgress } = wishes
  const note = await postgresErasureNotes(database, personalDataKey).find(account)
  if (!note)
    throw new NothingNoted(
      `Nothing was noted of account ${account}: it was erased by an earlier version, or more than 90 days ago, or its erasure was proved already`,
    )
  const { noted, notedAt } = note
  const findings = openFindings()
  const finder = findValues(noted)
  const partOf = ([from, to]: readonly [number, number]): Looking => ({
    finder,
    findings,
    signal,
    onProgress: (share, text) => onProgress(from + share * (to - from), text),
  })
  const lookedFrom = timestamp(Date.now())
  // Events come first: they tell which values are somebody else's too.
  const events = await lookThroughEvents(store, noted.holders, partOf(shares.events))
  const tables = await lookThroughTables(
    database,
    store.stored.kind === 'postgres' ? [eventTable] : [],
    partOf(shares.tables),
  )
  const files = await lookThroughFiles(settings, partOf(shares.files))
  const unsentMails = await lookThroughMails(store, partOf(shares.rest))
  const ofLogs: Proof['lookedThrough']['logs'] = []
  for (const location of logs) ofLogs.push({ location, ...(await lookThroughLogs(location, partOf(shares.rest))) })
  const opening = await keys.existingKeys(noted.holders.map((holder) => accountId(snowflake(holder))))
  return {
    what: 'proof of the erasure of an account',
    format: 1,
    program: `guildhall ${productVersion}`,
    account,
    erasedAt: wishes.erasedAt,
    notedAt,
    lookedFrom,
    lookedUntil: timestamp(Date.now()),
    keyIsDestroyed: opening.size === 0,
    messagesAreAnonymous: wishes.messagesAreAnonymous,
    lookedFor: lookedFor(noted),
    lookedThrough: {
      events: { store: store.stored.kind, ...events },
      tables: [...tables],
      files: { location: byteStoreLocation(settings), ...files },
      unsentMails,
      logs: ofLogs,
    },
    notLookedThrough: notLookedThrough(logs.length > 0),
    ...openedFindings(findings),
  }
}

function openedFindings(
  findings: ReturnType<typeof openFindings>,
): Pick<Proof, 'found' | 'keptByRule' | 'alsoOfOthers'> {
  const { found, keptByRule, alsoOfOthers } = findings.soFar()
  return {
    found: { places: found.places, first: [...found.first] },
    keptByRule: [...keptByRule],
    alsoOfOthers: [...alsoOfOthers],
  }
}

function lookedFor({ values, tooShort, images, isCut, running_count, unread_count }: NotedValues): Proof['lookedFor'] {
  const counts = new Map<string, number>()
  for (const { kind } of values) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return {
    values: [...counts].map(([kind, count]) => ({ kind, count })),
    tooShort: Object.entries(tooShort).map(([kind, count]) => ({ kind, count })),
    bytesMin: looked_bytes_min,
    inTextBytesMin: inText_bytes_min,
    images: images.length,
    all: !isCut,
    runningPurchases: running_count,
    unreadEvents: unread_count,
    encodings: [...encodings],
  }
}

async function lookThroughFiles(settings: ProvingWishes['settings'], looking: Looking): Promise<LookedThrough> {
  const files = await openByteStore(settings, anyForm)
  try {
    return await lookThroughStore(files, looking)
  } finally {
    files.close()
  }
}

/** Mails that wait or are kept are sealed with a key of the instance, so the table does not show what they hold. */
async function lookThroughMails(
  { database, personalDataKey }: Pick<Store, 'database' | 'personalDataKey'>,
  { finder, findings }: Looking,
): Promise<LookedThrough> {
  let [count, bytes] = [0, 0]
  for (const mail of await openOutbox(database, personalDataKey).shown()) {
    const text = Buffer.from(JSON.stringify(mail), 'utf8')
    count += 1
    bytes += text.length
    const place = { area: 'mails', container: `the mail of ${mail.createdAt}`, detail: '' } as const
    for (const found of finder.in(text)) findings.add(found, place)
  }
  return { count, bytes }
}

/** What a proof cannot see, said plainly. */
function notLookedThrough(hasLogs: boolean): string[] {
  return [
    'Indexes of Postgres: they hold what the rows of their tables hold, and go with them.',
    'The files of Postgres: until it vacuums, and recycles its write-ahead log, deleted rows stand in them.',
    'Backups and exports of before: they lie outside the instance.',
    'What is sealed with a key that no longer exists, or with that of somebody else: it was looked through as it is stored.',
    'What is sealed with a key of the instance, other than unsent mails: blocklists, the configuration, archives of guilds (in which people are ids); answers to repeat, which their clients can open for a day.',
    hasLogs
      ? 'Logs other than those that were named.'
      : 'Logs: the server writes its log to standard output and to no file. Name the files that keep it with --logs.',
  ]
}
