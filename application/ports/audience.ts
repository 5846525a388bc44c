/** Asked by whoever begins to listen, and now and then. */
export const whoListens = 'who listens'
/** Answered by all who listen. */
export const iListen = 'I listen'

export type AudienceWord = typeof whoListens | typeof iListen

/** How long it is believed that somebody listens, and how long an answer may take unless stated otherwise. */
const believed_ms = 60_000
const answering_ms = 5000

/** Who else listens on a channel between processes: where nobody does, nothing has to be sent. */
export interface Audience {
  /** Whether somebody else is known to listen. */
  isKnown(): boolean
  /** The same, and while somebody may still answer: false only where a question was not answered in time. */
  isPossible(): boolean
  /** Another process was heard. */
  noteOther(word: AudienceWord): void
  /** Asks who listens: this process has just begun to, and knows nothing of the others. */
  askAnew(): void
  /** What this process has to say about itself next; undefined where that is nothing. */
  nextWord(): AudienceWord | undefined
}

export function audience(answer_ms = answering_ms): Audience {
  const waiting = new Set<AudienceWord>()
  let heard_ms: number | undefined
  let asked_ms: number | undefined

  function ask(): void {
    asked_ms = performance.now()
    waiting.add(whoListens)
  }

  const isAnswerDue = (): boolean => asked_ms === undefined || performance.now() - asked_ms <= answer_ms

  /** Asks again where nobody was heard for long, and gives up those who did not answer. */
  function isKnown(): boolean {
    if (heard_ms !== undefined && performance.now() - heard_ms >= believed_ms) {
      if (asked_ms === undefined) ask()
      else if (!isAnswerDue()) heard_ms = undefined
    }
    return heard_ms !== undefined
  }

  return {
    isKnown,
    isPossible: () => isKnown() || isAnswerDue(),
    noteOther(word) {
      heard_ms = performance.now()
      asked_ms = undefined
      if (word === whoListens) waiting.add(iListen)
    },
    askAnew() {
      heard_ms = undefined
      ask()
    },
    nextWord() {
      for (const word of waiting) {
        waiting.delete(word)
        return word
      }
      return undefined
    },
  }
}

/** Whether a payload is about who listens. */
export function isAudienceWord(payload: string | undefined): payload is AudienceWord {
  return payload === whoListens || payload === iListen
}
