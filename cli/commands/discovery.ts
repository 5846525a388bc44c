import {
  changesSince,
  type ChangedField,
  type Shown,
} from '../../application/administration/discovery/changes-since.ts'
import { restoreDiscoveryListing } from '../../application/administration/discovery/restore-listing.ts'
import { changesOf, secondsBetween } from '../../application/administration/discovery/review-queue.ts'
import { unfitListings } from '../../application/administration/discovery/sweep-listings.ts'
import { Refused } from '../../application/commands/refused.ts'
import type { DiscoveryWithGuild } from '../../application/ports/queries/discovery-queries.ts'
import type { DecisionRecord, QueuePosition } from '../../application/ports/queries/review-queries.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import { openQueries } from '../../projections/read-models.ts'
import { actAsOperator } from '../operator/act-as-operator.ts'
import { refuseWithoutReadModels } from '../../process/read-models-fit.ts'
import { besideServer } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'
import { guildIn } from './guild-named.ts'
import { policiesOf } from './instance.ts'
import { operatorContext } from './operator-context.ts'

type Print = (line: string) => void

/** How many applications are read at once. */
const page_max = 100

/** Prints the applications that wait for a review, the longest waiting first. */
export async function discoveryQueue(print: Print): Promise<void> {
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const { discoveryReviews } = openQueries(store.database)
    const { now } = operatorContext()
    let after: QueuePosition | undefined
    let page: readonly DiscoveryWithGuild[]
    do {
      page = await discoveryReviews.queue(page_max, after)
      if (page.length === 0 && after === undefined) print('No application waits for a review.')
      const decisions = await discoveryReviews.decisionsOn(page.map(({ application }) => application.guildId))
      for (const each of page) {
        const { guildId: id, appliedAt } = each.application
        const earlier = decisions.filter((decision) => decision.guildId === id)
        print(queueLine(each, earlier, secondsBetween(appliedAt, now)))
      }
      after = page.at(-1)?.application
    } while (page.length === page_max)
  })
}

/** Prints what was decided about a guild's application, what is there now, and what changed in between. */
export async function discoveryShow(text: string, print: Print): Promise<void> {
  const id = guildIn(text)
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const { discovery, discoveryReviews } = openQueries(store.database)
    const application = await discovery.find(id)
    if (!application) throw new Error(`Guild ${id} has no application to the directory`)
    const now: Shown = { listing: application.listing, guild: (await discovery.guildFacts(id)) ?? null }
    const decisions = await discoveryReviews.decisionsOn([id])
    print(`Guild ${id}: ${application.status}, applied ${application.appliedAt}`)
    for (const decision of decisions) print(decisionLine(decision))
    printShown('Now', now, print)
    const last = decisions.findLast(({ listing }) => listing !== null)
    if (!last?.listing) return print('Nothing was decided yet.')
    const judged: Shown = { listing: last.listing, guild: last.guild }
    printShown(`When it was ${last.kind}`, judged, print)
    const changes = changesSince(judged, now)
    print(changes.length === 0 ? 'Nothing changed since.' : 'Changed since:')
    for (const change of changes) print(`  ${changeText(change)}`)
  })
}

/** Prints the listings that would not be let in today, and why. */
export async function discoverySweep({ dryRun }: { readonly dryRun?: boolean }, print: Print): Promise<void> {
  if (dryRun !== true) throw new Error('sweep changes nothing yet: give --dry-run, and remove what it names one by one')
  await besideServer(async (store) => {
    await refuseWithoutReadModels(store)
    const needs = { queries: openQueries(store.database), instancePolicies: await policiesOf(store) }
    let found = 0
    for await (const { guildId: id, name, reasons } of unfitListings(needs)) {
      found += 1
      print(`${id}  ${name ?? '(unknown guild)'}  ${reasons.join(', ')}`)
    }
    if (found === 0) print('Every listing would be let in today.')
  })
}

/** Undoes the removal of a listing. A running server applies it once this resolves. */
export async function discoveryRestore(text: string, print: Print): Promise<void> {
  const id = guildIn(text)
  await changeBesideServer({ print }, async (store) => {
    await refuseWithoutReadModels(store)
    const queries = openQueries(store.database)
    await actAsOperator(store, {
      action: 'restore_discovery_listing',
      target: { type: 'guild', id },
      run: (context, aggregates) => restoreDiscoveryListing({ aggregates, queries })(context, id),
    }).catch(sayingWhy(id))
    print(`Guild ${id} is in the directory again.`)
  })
}

function queueLine(each: DiscoveryWithGuild, earlier: readonly DecisionRecord[], waiting_s: number): string {
  const { application, guild } = each
  const last = earlier.at(-1)
  const before = last ? `${last.kind} before${last.reason === null ? '' : `: ${last.reason}`}` : 'first application'
  const changes = changesOf(each, earlier)
  const changed = changes && `changed since its approval: ${changes.map(({ field }) => field).join(', ') || 'nothing'}`
  const since = `waits ${Math.floor(waiting_s / 3600)} h, since ${application.appliedAt}`
  return [application.guildId, guild?.name ?? '(unknown guild)', since, before, ...(changed ? [changed] : [])].join(
    '  ',
  )
}

function decisionLine({ kind, decidedAt, reason }: DecisionRecord): string {
  return `${decidedAt}  ${kind}${reason === null ? '' : `: ${reason}`}`
}

function printShown(title: string, { listing, guild }: Shown, print: Print): void {
  print(`${title}:`)
  print(guild ? `  name: ${guild.name}` : '  the guild cannot be read')
  if (guild) print(`  icon: ${guild.icon ?? 'none'}`)
  if (guild) print(`  members: ${guild.memberCount}`)
  print(`  description: ${listing.description}`)
  print(`  category: ${listing.categoryType}`)
  print(`  language: ${listing.primaryLanguage}`)
  print(`  tags: ${listing.customTags.join(', ') || 'none'}`)
}

function changeText({ field, before, after }: ChangedField): string {
  return `${field}: ${JSON.stringify(before)} is now ${JSON.stringify(after)}`
}

function sayingWhy(id: GuildId) {
  return (error: unknown): never => {
    if (error instanceof Refused && error.refusal.code === 'DISCOVERY_APPLICATION_NOT_FOUND')
      throw new Error(`Guild ${id} has no application to the directory`)
    if (error instanceof Refused && error.refusal.code === 'DISCOVERY_APPLICATION_ALREADY_REVIEWED')
      throw new Error(`The listing of guild ${id} is not removed: there is nothing to undo`)
    throw error
  }
}
