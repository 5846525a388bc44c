import type { Account } from '../../../domain/account/state.ts'
import type { AccountId, ReportId } from '../../../domain/ids/ids.ts'
import { protectedCategories } from '../../../domain/report/categories.ts'
import type { Acting } from '../../caller.ts'
import { bestEffort } from '../../commands/best-effort.ts'
import type { Ports } from '../../ports.ts'
import { notifyReporter, type NotifyNeeds } from '../reports/notify-reporter.ts'

/** What became of the pending reports against an account whose deletion was scheduled. */
export interface ReportsResolution {
  readonly outcome: 'completed' | 'search_unavailable' | 'enumeration_failed'
  /** Without those in the categories child_safety, underage_user and self_harm, which stay pending. */
  readonly found_count: number
  readonly resolved_count: number
  readonly failed_count: number
  readonly notified_count: number
}

export type ResolveReportsNeeds = NotifyNeeds & Pick<Ports, 'queries'>

/** So many are resolved side by side, and read at once. */
const page_reports = 20

/**
 * Resolves the pending reports against an account whose deletion is scheduled, except those in protected categories. Each
 * reporter gets a notice without a comment. Rejects with nothing: a report that fails is counted, and so is one that somebody
 * else resolves meanwhile. If the list of reports fails partway, those found until then are resolved. The read model of reports
 * is always there, so the outcome is never search_unavailable. A command that is repeated after a death counts what its first try
 * resolved, and tells those reporters who were not told yet.
 */
export async function resolveReportsOf(
  ports: ResolveReportsNeeds,
  caller: Acting,
  { id, deletion }: Pick<Account, 'id' | 'deletion'>,
): Promise<ReportsResolution> {
  const { account: admin, context } = caller
  const since = deletion?.scheduledAt ?? null
  const orResolved = context.mayRepeat && since !== null ? { by: admin.id, since } : null
  const counts = { found_count: 0, resolved_count: 0, failed_count: 0, notified_count: 0 }
  let after: ReportId | null = null
  for (;;) {
    const page = await nextPage(ports, id, { orResolved, after })
    if (!page) return { outcome: 'enumeration_failed', ...counts }
    const outcomes = await Promise.all(page.map((report) => resolveOne(ports, caller, report.id)))
    for (const outcome of outcomes) {
      counts.found_count += 1
      counts[outcome === 'failed' ? 'failed_count' : 'resolved_count'] += 1
      if (outcome === 'notified') counts.notified_count += 1
    }
    after = page.at(-1)?.id ?? null
    if (page.length < page_reports) return { outcome: 'completed', ...counts }
  }
}

type PendingAgainst = Ports['queries']['reports']['pendingAgainst']

/** Undefined if it can't be read. */
async function nextPage(
  ports: ResolveReportsNeeds,
  account: AccountId,
  from: Pick<Parameters<PendingAgainst>[1], 'orResolved' | 'after'>,
) {
  let page: Awaited<ReturnType<PendingAgainst>> | undefined
  await bestEffort(ports, async () => {
    page = await ports.queries.reports.pendingAgainst(account, {
      without: protectedCategories,
      ...from,
      count_max: page_reports,
    })
  })
  return page
}

async function resolveOne(
  ports: ResolveReportsNeeds,
  { account: admin, context }: Acting,
  id: ReportId,
): Promise<'failed' | 'resolved' | 'notified'> {
  const command = { type: 'ResolveReport', adminId: admin.id, cause: 'deletion', publicComment: null } as const
  let isNotified = false
  const isResolved = await bestEffort(ports, async () => {
    const { state } = await ports.aggregates.report.execute(id, { ...command, now: context.now }, context)
    if (state.status === 'resolved') isNotified = await notifyReporter(ports, state, null, 'send', context)
  })
  if (!isResolved) return 'failed'
  return isNotified ? 'notified' : 'resolved'
}
