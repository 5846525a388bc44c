import type { DestinationStream } from 'pino'
import { build } from 'pino-pretty'

/** Characters that a terminal acts on, as they stand in a line of JSON. Line breaks and tabs of stacks stay. */
const actsOnTerminal = /\\u00(?:0[0-8bcef]|1[\da-f])|[\u007f-\u009f]/g
const questionMark = String.raw`\u003f`

/**
 * A destination of the log for people: time of day, level, message, and what belongs to it. Control characters are shown as
 * question marks, since others may have chosen them.
 */
export function readableLines(colours: boolean, destination: number | NodeJS.WritableStream = 1): DestinationStream {
  const lines = build({
    colorize: colours,
    destination,
    ignore: 'level',
    singleLine: true,
    sync: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: '{level} {msg}',
  })
  return { write: (line) => void lines.write(line.replace(actsOnTerminal, questionMark)) }
}
