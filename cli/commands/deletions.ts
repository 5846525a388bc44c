import { whatErasureTakes, type ErasurePlan } from '../../application/identity/erasure/what-erasure-takes.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { besideServer } from './beside.ts'
import { openOperator } from '../operator/open-operator.ts'
import { systemAccountId } from '../../domain/account/system-account.ts'
import type { OperatorPorts } from '../operator/operator-ports.ts'

export interface DeletionsOptions {
  /** How many, 1 to `deletions_max`, in digits. */
  readonly first: string
}

const deletions_max = 1000

/** Prints the pending deletions of accounts, soonest first, with what each erasure would take now and what stands in its way. */
export async function deletions({ first }: DeletionsOptions, print: (line: string) => void): Promise<void> {
  const limit = /^\d{1,4}$/.test(first) ? Number(first) : 0
  if (limit < 1 || limit > deletions_max) throw new Error(`--first ${first} is not a number from 1 to ${deletions_max}`)
  await besideServer(async (store) => {
    const operator = await openOperator(store, { dryRun: true })
    try {
      await printDeletions(operator.ports, limit, print)
    } finally {
      await operator.close()
    }
  })
}

async function printDeletions(ports: OperatorPorts, limit: number, print: (line: string) => void): Promise<void> {
  const scheduled = await ports.queries.erasures.scheduled(limit)
  const foretell = whatErasureTakes(ports)
  for (const id of scheduled) {
    const plan = await foretell(id)
    if (!plan) continue
    const names = await tagsOf(ports, plan)
    for (const line of linesOf(plan, (account) => names.get(account) ?? account)) print(line)
  }
  if (scheduled.length === 0) print('No deletion is scheduled.')
  if (scheduled.length === limit) print(`These are the first ${limit}: --first prints more.`)
}

/** Accounts as `Ada#0001 (123)`. */
async function tagsOf(
  { queries }: Pick<OperatorPorts, 'queries'>,
  { accountId, scheduledBy, guilds }: ErasurePlan,
): Promise<ReadonlyMap<AccountId, string>> {
  const named = [accountId, scheduledBy, ...guilds.map(({ heir }) => heir)].filter((id) => id !== null)
  const found = await queries.accounts.findMany([...new Set(named)])
  return new Map(
    found.map(({ id, username, discriminator }) => [
      id,
      `${username}#${String(discriminator).padStart(4, '0')} (${id})`,
    ]),
  )
}

function linesOf(plan: ErasurePlan, name: (account: AccountId) => string): readonly string[] {
  const { accountId, dueAt, guilds, applications, memberships_count: memberships, obstacles } = plan
  const hindered = new Set(obstacles.map(({ guildId }) => guildId))
  return [
    `${name(accountId)}  due ${dueAt}  scheduled ${scheduler(plan, name)}`,
    `  leaves guilds: ${memberships}`,
    ...guilds
      .filter(({ id }) => !hindered.has(id))
      .map(({ id, name: guild, heir }) =>
        heir === null
          ? `  guild ${id} ${JSON.stringify(guild)} is deleted: nobody can get it`
          : `  guild ${id} ${JSON.stringify(guild)} goes to ${name(heir)}`,
      ),
    ...applications.map(({ id, name: application }) => `  application ${id} ${JSON.stringify(application)} is deleted`),
    ...subscriptionLines(plan),
    ...obstacles.map((obstacle) => `  in the way: ${reasonOf(obstacle)}`),
  ]
}

function subscriptionLines({ scheduledBy, subscriptions }: ErasurePlan): readonly string[] {
  const { storeA_count: ofA, storeB_count: ofB } = subscriptions
  const endOfB =
    scheduledBy === null
      ? 'cancelled by the erasure, without a refund'
      : 'revoked with a refund as far as they ran: undelete does not bring them back'
  return [
    ...(ofB === 0 ? [] : [`  subscriptions of store B: ${ofB}, ${endOfB}`]),
    ...(ofA === 0
      ? []
      : [`  subscriptions of store A: ${ofA}, which go on: only their customer can cancel them there`]),
  ]
}

function scheduler({ scheduledBy, scheduledAt }: ErasurePlan, name: (account: AccountId) => string): string {
  if (scheduledBy === null) return 'by its holder'
  const by = scheduledBy === systemAccountId ? 'at the command line' : `by ${name(scheduledBy)}`
  return scheduledAt === null ? by : `${by} at ${scheduledAt}`
}

function reasonOf({ guildId, why }: ErasurePlan['obstacles'][number]): string {
  switch (why) {
    case 'holder_owns_guild':
      return `the holder has to give guild ${guildId} away first`
    case 'single_community':
      return `nobody could get guild ${guildId}, the single community of the instance`
  }
}
