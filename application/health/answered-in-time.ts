import { setImmediate as nextTurn } from 'node:timers/promises'
import { Unavailable } from '../failures/unavailable.ts'
import type { Part } from '../ports/parts.ts'

/** A part gave no answer in time. */
export class NoAnswer extends Unavailable {
  override readonly name = 'NoAnswer'
  override readonly part: Part

  constructor(part: Part, answer_ms_max: number) {
    super(`no answer of ${part} within ${answer_ms_max} ms`)
    this.part = part
  }
}

/**
 * The result of `asked`. Rejects with NoAnswer if it takes longer than `answer_ms_max`. Before it rejects, the event loop gets
 * another turn: after a stall, the timer fires before an answer that has already arrived is read.
 */
export async function answeredInTime<Result>(
  part: Part,
  asked: Promise<Result>,
  answer_ms_max: number,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      void nextTurn()
        .then(() => nextTurn())
        .then(() => reject(new NoAnswer(part, answer_ms_max)))
    }, answer_ms_max).unref()
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
