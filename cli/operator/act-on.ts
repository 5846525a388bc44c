import type { z } from 'zod'
import { adminUserReply } from '../../adapters/http/schemas/administration/admin-users.ts'
import { lengthOf, normalised } from '../../domain/text/normalise.ts'
import type { PostgresConnection } from '../../adapters/postgres/database.ts'
import type { AccountId, GuildId } from '../../domain/ids/ids.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { aggregatesAsOf } from '../../process/aggregates-as-of.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { accountNamed, nobody } from '../commands/account-named.ts'
import { besideServer } from '../commands/beside.ts'
import { changeBesideServer } from '../commands/change-beside.ts'
import type { Store } from '../../process/store.ts'
import { carryOutAsOperator, type Done, type OperatorRequest } from './carry-out-as-operator.ts'
import { undoNeeds } from './newest-acts.ts'
import { openOperator, type OperatorWishes } from './open-operator.ts'
import type { OperatorPorts } from './operator-ports.ts'
import { printForetold } from './print-foretold.ts'
import { changedMeanwhile, undoOf } from './undo-entry.ts'
import type { adminUserSchema } from '../../application/wire-objects/administration/admin-user-object.ts'

export type Print = (line: string) => void

export interface ActOptions {
  /** Whether to print what would be written and sent, and to do neither. */
  readonly dryRun?: boolean
  /** For the audit log, at most `reason_max` characters. */
  readonly reason?: string
}

/** What a command does, and what it says afterwards. */
export interface Act {
  readonly asked: OperatorRequest
  readonly said: (reply: unknown) => string
}

const reason_max = 512

/** Carries out an act on an account and prints what it did, or what it would do. */
export async function actOn(
  who: string,
  options: ActOptions,
  print: Print,
  actFor: (id: AccountId, ports: OperatorPorts) => Promise<Act>,
): Promise<void> {
  const reason = reasonIn(options)
  await withStore(options, print, async (store) => {
    const id = await accountNamed(who, store, openAggregates({ store: store.events, snapshots: store.snapshots }))
    await operating(store, { dryRun: options.dryRun === true }, print, async (ports) => {
      if (!(await ports.queries.accounts.find(id))) throw nobody(who)
      const { asked, said } = await actFor(id, ports)
      return { asked: [{ ...asked, reason }], said }
    })
  })
}

/**
 * Carries out an act on a guild and prints what it did, or what it would do. What follows beside history, such as the deletion of
 * messages and images, is left to the workers of a server. Rejects with a line for the operator if there is no such guild.
 */
export async function actOnGuild(
  id: GuildId,
  options: ActOptions,
  print: Print,
  actFor: (store: Store) => Promise<Act>,
): Promise<void> {
  const reason = reasonIn(options)
  await withStore(options, print, async (store, connection) => {
    const { asked, said } = await actFor(store)
    const wishes = { dryRun: options.dryRun === true, connection, leavesRest: true }
    await operating(store, wishes, print, async ({ queries }) => {
      if ((await queries.guilds.namesOf([id])).length === 0) throw noGuild(id)
      return { asked: [{ params: { guild_id: id }, ...asked, reason }], said }
    })
  })
}

/** The message for an operator if a guild does not exist. */
const noGuild = (id: GuildId): Error => new Error(`There is no guild ${id}`)

/** The reply of an operation that only reads an account. It leaves an entry in the audit log, as over HTTP. */
export function readOf(who: string, operation: string, print: Print): Promise<unknown> {
  return changeBesideServer({ print }, async (store) => {
    const id = await accountNamed(who, store, openAggregates({ store: store.events, snapshots: store.snapshots }))
    return replyOf(store, { operation, params: { user_id: id } })
  })
}

/** The same for an operation that reads anything else. */
export function readAsOperator(asked: OperatorRequest, print: Print): Promise<unknown> {
  return changeBesideServer({ print }, (store) => replyOf(store, asked))
}

async function replyOf(store: Store, asked: OperatorRequest): Promise<unknown> {
  const operator = await openOperator(store, { dryRun: false })
  try {
    return (await carryOutAsOperator(operator.ports, asked)).reply
  } finally {
    await operator.close()
  }
}

/** Takes back the act of an entry of the audit log, or of an event. Rejects if nothing can, or if it was changed since. */
export async function undo(id: string, options: ActOptions & { readonly mail: boolean }, print: Print): Promise<void> {
  const reason = reasonIn(options)
  await withStore(options, print, async (store, connection) => {
    await refuseWithoutReadModels(store)
    const undoing = await undoOf(await undoNeeds(store), id, { notifiesHolder: options.mail, reason })
    const wishes: OperatorWishes = {
      dryRun: options.dryRun === true,
      connection,
      aggregatesOver: (held) => aggregatesAsOf(held, changedMeanwhile())(undoing.asOf),
    }
    await operating(store, wishes, print, async () => ({
      asked: undoing.asked,
      said: () => [`Entry ${id} is undone: ${namesOf(undoing.asked)}${undoing.on}.`, ...undoing.remains].join(' '),
    }))
  })
}

function namesOf(asked: readonly OperatorRequest[]): string {
  return [...new Set(asked.map(({ operation }) => operation))].join(', ')
}

/** A dry run writes nothing that a server would have to take up. */
function withStore(
  { dryRun }: ActOptions,
  print: Print,
  task: (store: Store, connection: PostgresConnection) => Promise<void>,
): Promise<void> {
  return dryRun === true ? besideServer(task) : changeBesideServer({ print }, task)
}

async function operating(
  store: Store,
  wishes: OperatorWishes,
  print: Print,
  act: (ports: OperatorPorts) => Promise<Omit<Act, 'asked'> & { readonly asked: readonly OperatorRequest[] }>,
): Promise<void> {
  const operator = await openOperator(store, wishes)
  try {
    const { asked, said } = await act(operator.ports)
    const done: Done[] = []
    for (const request of asked) done.push(await carryOutAsOperator(operator.ports, request))
    if (operator.foretold) return printForetold(operator.foretold, print)
    print(said(done.at(-1)?.reply))
    for (const { entryId } of done) if (entryId !== undefined) print(`Audit log entry: ${entryId}`)
  } finally {
    await operator.close()
  }
}

/** The account in a reply. */
export function userReply(reply: unknown): z.output<typeof adminUserSchema> {
  return adminUserReply.parse(reply).user
}

/** The reason as the audit log keeps it; undefined for none. */
export function reasonIn({ reason }: Pick<ActOptions, 'reason'>): string | undefined {
  if (reason === undefined) return undefined
  const text = normalised(reason)
  if (text === '' || lengthOf(text) > reason_max) throw new Error(`--reason must have 1 to ${reason_max} characters`)
  return text
}
