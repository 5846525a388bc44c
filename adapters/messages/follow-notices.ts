import { z } from 'zod'
import type { News } from '../../application/concurrency/news.ts'
import { pause } from '../../application/concurrency/pauses.ts'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { type MessageNotice, type MessageNotices, type NoticeNumber } from '../../application/ports/messages.ts'
import { NoticesLost } from '../../application/failures/notices-lost.ts'
import { noticePageOf, type NoticePage } from './notice-rows.ts'

const page_max = 500
const gapPause_ms = { min: 2, max: 50 }
const retryPause_ms = 500
/** The time limit of a statement. What began to be written earlier than this is visible now, or never will be. */
const writing_s_max = 15

const numberRow = z.object({ number: z.coerce.bigint() })
const transactionRow = z.object({ transaction: z.coerce.bigint() })

/**
 * Numbers that are missing below a seen one: transactions below `transaction` drew them. Once all of those have ended, a number
 * that is still missing never comes.
 */
interface Doubt {
  readonly upTo: NoticeNumber
  readonly transaction: bigint
}

/** `calls` counts how often a process announced notices. */
export function followingNotices(
  database: Queries,
  calls: News<number>,
  onError: (error: unknown) => void,
): MessageNotices {
  let unknown_count = 0
  const onUnknown = (count: number): void => {
    unknown_count += count
  }
  return {
    unknown: () => unknown_count,
    async beginning() {
      const { number } = await database.one(sql.type(numberRow)`
        select coalesce(
          (select min(number) - 1 from messages.notices where written_at > now() - make_interval(secs => ${writing_s_max})),
          (select max(number) from messages.notices),
          (select up_to from messages.trimmed)
        ) as number`)
      return number
    },
    follow: (after, signal) => follow({ database, calls, onError, onUnknown }, after, signal),
    committed: async (ranges, count_max) => toldOf((await database.one(noticePageOf(ranges, count_max))).notices),
  }
}

interface Following {
  readonly database: Queries
  readonly calls: News<number>
  readonly onError: (error: unknown) => void
  /** Called with how many notices were left out because this version does not know their kinds. */
  readonly onUnknown: (count: number) => void
}

/** Leaves out notices of kinds that only later versions know: what else is told must not wait for an upgrade of this process. */
function toldOf(notices: NoticePage['notices']): readonly MessageNotice[] {
  return notices.filter((notice) => notice.kind !== 'unknown')
}

async function* follow(
  { database, calls, onError, onUnknown }: Following,
  after: NoticeNumber,
  signal: AbortSignal,
): AsyncGenerator<readonly MessageNotice[]> {
  let last = after
  let doubt: Doubt | undefined
  let pause_ms = gapPause_ms.min
  while (!signal.aborted) {
    const known = calls.newest()
    const page = await read(database, last, onError)
    if (signal.aborted) return
    if (page === undefined) {
      await pause(retryPause_ms, signal)
      continue
    }
    if (page.trimmed > last) throw new NoticesLost(`Notices up to ${page.trimmed} are trimmed; ${last} was the last`)
    const { notices, isWhole } = withoutGaps(page, last, doubt)
    const newest = notices.at(-1)
    if (newest) {
      const told = toldOf(notices)
      onUnknown(notices.length - told.length)
      if (told.length > 0) yield told
      last = newest.number
    }
    if (isWhole) {
      doubt = undefined
      pause_ms = gapPause_ms.min
      if (page.notices.length < page_max) await calls.after(known, signal)
      continue
    }
    // A settled doubt that does not help concerns numbers further back.
    if (!doubt || isSettled(doubt, page)) doubt = await doubtOf(database, page, onError)
    await pause(pause_ms, signal)
    pause_ms = Math.min(pause_ms * 2, gapPause_ms.max)
  }
}

/** The notices up to the first number that may still come. */
function withoutGaps(
  page: NoticePage,
  last: NoticeNumber,
  doubt: Doubt | undefined,
): Pick<NoticePage, 'notices'> & { readonly isWhole: boolean } {
  const { notices } = page
  const settled = doubt && isSettled(doubt, page) ? doubt.upTo : last
  let previous = last
  for (const [index, { number }] of notices.entries()) {
    if (number > previous + 1n && number > settled) return { notices: notices.slice(0, index), isWhole: false }
    previous = number
  }
  return { notices, isWhole: true }
}

function isSettled({ transaction }: Doubt, { lowestRunning }: NoticePage): boolean {
  return lowestRunning >= transaction
}

/** Draws a transaction id. It is above those of all transactions that drew a number below a seen one. */
async function doubtOf(
  database: Queries,
  { notices }: NoticePage,
  onError: (error: unknown) => void,
): Promise<Doubt | undefined> {
  const newest = notices.at(-1)
  if (!newest) return undefined
  try {
    const { transaction } = await database.one(
      sql.type(transactionRow)`select pg_current_xact_id()::text as transaction`,
    )
    return { upTo: newest.number, transaction }
  } catch (error) {
    onError(error)
    return undefined
  }
}

async function read(
  database: Queries,
  last: NoticeNumber,
  onError: (error: unknown) => void,
): Promise<NoticePage | undefined> {
  try {
    return await database.one(noticePageOf([{ after: last }], page_max))
  } catch (error) {
    onError(error)
    return undefined
  }
}
