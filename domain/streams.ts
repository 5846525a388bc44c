import { categories, type Category } from './aggregates.js'

/** A stream is named `<category>-<id>` (design, Streams). */
export type StreamName = `${Category}-${string}`

/** Names the stream of one aggregate. */
export function streamName(category: Category, id: string): StreamName {
  return `${category}-${id}`
}

/** The category of a stream, or undefined where the name is not one of ours. */
export function categoryOf(stream: string): Category | undefined {
  return categories.find((category) => stream.startsWith(`${category}-`))
}

/** The id that a stream's name ends with: all that stands after the first hyphen. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
