import { NoticesLost } from '../../../application/failures/notices-lost.ts'
import type { MessageNotice, MessageNotices } from '../../../application/ports/messages.ts'

export interface NoticeNumbers {
  newest: bigint
  /** The position up to which notices are no longer kept. */
  trimmed: bigint
  next(): bigint
}

export function noticeNumbers(): NoticeNumbers {
  const numbers: NoticeNumbers = {
    newest: 0n,
    trimmed: 0n,
    next: () => {
      numbers.newest += 1n
      return numbers.newest
    },
  }
  return numbers
}

export function noticesOver(
  told: readonly MessageNotice[],
  numbers: NoticeNumbers,
  waiting: Set<() => void>,
): MessageNotices {
  return {
    beginning: async () => numbers.newest,
    unknown: () => 0,
    committed: async (ranges, count_max) =>
      told
        .filter(({ number }) =>
          ranges.some(({ after, before }) => number > after && (before === undefined || number < before)),
        )
        .slice(0, count_max),
    async *follow(after, signal) {
      for (let last = after; !signal.aborted;) {
        if (last < numbers.trimmed) throw new NoticesLost('trimmed')
        const notices = told.filter(({ number }) => number > last)
        last = notices.at(-1)?.number ?? last
        if (notices.length > 0) yield notices
        else await news(waiting, signal)
      }
    },
  }
}

function news(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake)
      signal.removeEventListener('abort', wake)
      resolve()
    }
    waiting.add(wake)
    signal.addEventListener('abort', wake)
  })
}
