import type { AccountNotes } from '../ports/account-notes.ts'
import type { Copies } from '../ports/copies.ts'
import type { AttachmentFiles } from '../ports/attachments.ts'
import type { AuthorMessages } from '../ports/author-messages.ts'
import type { Images } from '../ports/images.ts'
import type { Messages } from '../ports/messages.ts'
import type { SavedMessages } from '../ports/saved-messages.ts'
import type { RecentMentions } from '../ports/recent-mentions.ts'
import type { Reactions } from '../ports/reactions.ts'
import type { ReadStates } from '../ports/read-states.ts'
import type { ReadModels } from '../ports/read-models.ts'
import type { Reservations } from '../ports/reservations.ts'
import type { SnapshotStore } from '../ports/snapshots.ts'
import type { Stores } from '../ports/stores.ts'
import type { Tickets } from '../ports/tickets.ts'
import type { Uploads } from '../ports/uploads.ts'
import type { Letter, Mail } from '../ports/mail.ts'
import type { Ports } from '../ports.ts'
import { accountsOfHistory } from './accounts-of-history.ts'
import type { HeldBackJob } from './dry-run.ts'

/** What ports hold back besides events. */
export interface HeldBack {
  readonly letters: Letter[]
  readonly jobs: HeldBackJob[]
  /** What was deferred, at work. */
  readonly deferred: Promise<void>[]
}

/** The ports that change nothing, whoever uses them. */
const readers = [
  'addressHash',
  'adminAuditHash',
  'archiveLinkBox',
  'attachmentAddresses',
  'blocklistBox',
  'contentFilter',
  'dispatchesOf',
  'events',
  'giftBox',
  'identityHash',
  'instance',
  'instanceStatus',
  'isProtectedAddress',
  'linkPreviews',
  'networkLookups',
  'openIdProvider',
  'passkeys',
  'passwords',
  'presence',
  'storeBox',
  'storeHash',
  'successStatusOf',
  'sudoProofs',
  'testMailServer',
  'totp',
  'uploadAddresses',
  'webhookBox',
] as const satisfies readonly (keyof Ports)[]

/** What is opened over a store that holds back its events. */
type OverHeldEvents = Pick<Ports, 'aggregates' | 'asOf' | 'instancePolicies' | 'limits'>

const nothing = async (): Promise<void> => undefined
const nothingAtOnce = (): void => undefined

/**
 * Ports that read as the given ones do and change nothing: they keep in `held` what would be sent and handed to workers, and answer
 * as if it had been done. Messages are deleted with a ban or a guild, and else changed by jobs alone, so a use case that would change
 * one otherwise throws. A port that is new has to be added here: the compiler says so.
 */
export function holdingPorts(ports: Ports, over: OverHeldEvents, held: HeldBack): Ports {
  return {
    ...pick(ports, readers),
    ...over,
    ...keepingOwn(ports),
    allowances: {
      ...ports.allowances,
      take: (name, key, rate) => ports.allowances.look(name, key, rate),
      reset: nothing,
    },
    archives: {
      ...ports.archives,
      add: async ({ subject }) => void held.jobs.push({ task: `${subject.type}_archive`, total: null }),
      removeAllOf: nothing,
    },
    attachmentFiles: refusing<AttachmentFiles>(ports.attachmentFiles),
    authorMessages: refusing<AuthorMessages>(ports.authorMessages, 'count', 'page', 'shredded', 'spareAuthorCount'),
    backgroundJobs: {
      ...ports.backgroundJobs,
      add: async ({ task, total }) => void held.jobs.push({ task, total }),
      cancel: async (id) => {
        const job = await ports.backgroundJobs.find(id)
        return job !== undefined && (job.status === 'queued' || job.status === 'running' || job.cancelRequested)
      },
    },
    deferred: { run: (task) => void held.deferred.push(task()) },
    discoveryClaims: {
      ...ports.discoveryClaims,
      claim: async (wanted, now) => (await ports.discoveryClaims.running([wanted.guildId], now))[0] ?? wanted,
      release: nothing,
    },
    erasureNotes: { ...ports.erasureNotes, add: nothing, sweep: nothing },
    images: storingNone(ports.images),
    jobs: { add: async (task) => void held.jobs.push({ task, total: null }) },
    locks: { holding: async (_key, act) => ({ result: await act() }) },
    mail: holdingLetters(ports.mail, held.letters),
    messages: removingNone(ports.messages),
    personalDataKeys: { destroy: nothing },
    messageSearch: ports.messageSearch,
    queries: { ...ports.queries, accounts: accountsOfHistory(over.aggregates, ports.queries.accounts) },
    reactions: refusing<Reactions>(
      { ...ports.reactions, removeAllOf: nothing },
      'of',
      'accountsOf',
      'ofAccount',
      'removeAllOf',
    ),
    readModels: waitingForNothing,
    reminders: { remind: nothingAtOnce },
    reservations: reservingNothing,
    sessionActivity: { ...ports.sessionActivity, forget: nothingAtOnce },
    sessionHandovers: { expect: nothingAtOnce },
    snapshots: { forget: nothing },
    startedSessions: { ...ports.startedSessions, note: nothing, flagged: nothing },
    stores: askingNothing(ports.stores),
    tickets: issuingNone(ports.tickets),
    typing: { start: nothingAtOnce },
    uploads: refusing<Uploads>({ ...ports.uploads, forget: nothing }, 'forget'),
  }
}

/** What accounts keep for themselves goes with them, and nothing else touches it; nothing is published. */
function keepingOwn({ copies, accountNotes, readStates, recentMentions, savedMessages }: Ports) {
  const removeAllOf = nothing
  return {
    copies: refusing<Copies>(copies, 'of', 'changed'),
    accountNotes: refusing<AccountNotes>({ ...accountNotes, removeAllOf }, 'of', 'find', 'removeAllOf'),
    readStates: refusing<ReadStates>({ ...readStates, removeAllOf }, 'of', 'removeAllOf'),
    savedMessages: refusing<SavedMessages>({ ...savedMessages, removeAllOf }, 'count', 'page', 'removeAllOf'),
    recentMentions: refusing<RecentMentions>({ ...recentMentions, removeAllOf }, 'page', 'removeAllOf'),
  }
}

/** A dry run writes nothing that a read model could show. */
export const waitingForNothing: ReadModels = { reached: nothing }

/** Keeps letters instead of sending them. */
export function holdingLetters(mail: Mail, letters: Letter[]): Mail {
  const send = async (letter: Letter): Promise<void> => void letters.push(letter)
  return { ...mail, send, deliver: (letter) => send(letter).then(() => mail.canSend), forget: nothing }
}

/** The states after a dry run's events belong to no history: no snapshot may keep them. */
export function savingNone<Store extends Pick<SnapshotStore, 'save'>>(snapshots: Store): Store {
  return { ...snapshots, save: nothing }
}

/** A limit that is reached refuses as in a real run. Others may take the last slot meanwhile. */
export const reservingNothing: Reservations = {
  async within(counts, act) {
    for (const { limit, count, refuse } of counts) if ((await count()) >= limit) refuse()
    return act()
  },
}

/** Messages are counted by nobody, and stay. */
function removingNone(messages: Messages): Messages {
  const removing = {
    removeOfAuthor: async () => ({ deleted_count: 0 }),
    removeChannels: nothing,
    keepChannels: nothing,
  }
  return refusing<Messages>(
    { ...messages, ...removing },
    ...([
      'find',
      'findMany',
      'page',
      'postedBefore',
      'sentWith',
      'lastOf',
      'pins',
      'talliesOf',
      'unrecordedDeletions',
    ] as const),
    ...(['removeOfAuthor', 'removeChannels', 'keepChannels'] as const),
  )
}

function storingNone(images: Images): Images {
  return {
    ...images,
    async read(bytes, asker) {
      const image = await images.read(bytes, asker)
      if (typeof image === 'string') return image
      const { animated, hash, width, height } = image
      return { ...image, store: async () => ({ hash: animated ? `a_${hash}` : hash, width, height }) }
    },
    copy: async () => true,
    remove: nothing,
    removeAllOf: nothing,
  }
}

/** A purchase is read from its store as it is; nothing there is changed. */
function askingNothing({ storeA, storeB, ...stores }: Stores): Stores {
  const done = async () => ({ ok: true, value: null }) as const
  return {
    ...stores,
    storeA: { ...storeA, setAccountToken: done },
    storeB: { ...storeB, acknowledge: done, consume: done, refund: done, cancel: done, revoke: done },
  }
}

/** A ticket that nobody gets opens nothing. */
function issuingNone(tickets: Tickets): Tickets {
  return {
    issue: async ({ form }) => (form === 'uuid' ? '00000000-0000-4000-8000-000000000000' : ''),
    take: (kind, ticket) => tickets.look(kind, ticket),
    look: (kind, ticket) => tickets.look(kind, ticket),
    change: async (kind, ticket, next) => {
      const payload = await tickets.look(kind, ticket)
      return payload === undefined ? undefined : next(payload)
    },
    revokeAll: nothing,
    forget: nothing,
  }
}

/** Only these methods of a port; all others throw. */
function refusing<Port extends object>(port: Port, ...reads: readonly (keyof Port)[]): Port {
  return new Proxy(port, {
    get(target, name) {
      if (!reads.some((read) => read === name)) throw new Error(`A dry run has no ${String(name)}`)
      const method: unknown = Reflect.get(target, name)
      return typeof method === 'function' ? method.bind(target) : method
    },
  })
}

function pick<Whole extends object, Name extends keyof Whole>(whole: Whole, names: readonly Name[]): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>
}
