import { categories, type Category } from './aggregates.ts'

/** A stream is named `<category>-<id>`. */
export type StreamName = `${Category}-${string}`

/** Names the stream of one aggregate. */
export function streamName(category: Category, id: string): StreamName {
  return `${category}-${id}`
}

/** The category of a stream; undefined if the name is not one of ours. */
export function categoryOf(stream: string): Category | undefined {
  return categories.find((category) => stream.startsWith(`${category}-`))
}

/** The id in a stream's name: everything after the first hyphen. */
export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
