/** The kind of a line in the timeline. */
export type TimelineKind = 'request' | 'answer' | 'event' | 'dispatch' | 'audit' | 'note'

export interface Timeline {
  add(kind: TimelineKind, who: string, text: string): void
  chapter(title: string): void
}

const labels: Readonly<Record<TimelineKind, string>> = {
  request: '→ request ',
  answer: '← answer  ',
  event: '■ event   ',
  dispatch: '≈ dispatch',
  audit: '§ audit   ',
  note: '  note    ',
}

const whoWidth = 7

/** Prints what happens, with the milliseconds since the story began. */
export function printedTimeline(print: (line: string) => void, clock: () => number): Timeline {
  const start = clock()
  return {
    chapter: (title) => {
      print('')
      print(title)
    },
    add: (kind, who, text) => {
      const ms = Math.round(clock() - start)
      print(`${ms.toString().padStart(6)} ms  ${labels[kind]}  ${who.padEnd(whoWidth)} ${text}`)
    },
  }
}
