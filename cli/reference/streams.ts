import { eventCatalogs, aggregates } from '../../domain/aggregates.ts'
import type { EventCatalog, EventDefinition } from '../../domain/kernel/event-catalog.ts'

const introduction = `# Streams

Each aggregate has a stream of events of its own. The name of a stream is its category, a hyphen and an id. Types of events are
never renamed or reused: another shape is another version, and older events are read as the newest one. Personal members are
stored encrypted with the key of an account, and are null once that key is destroyed. A personal reason is the one that the
request gave, encrypted likewise. [events.json](events.json) has the JSON schema of each event in each version.`

/** The page of the reference that lists every stream and its events, as Markdown. */
export function streamsPage(): string {
  return [introduction, ...Object.values(aggregates).map(streamsOf), ''].join('\n\n').trimEnd() + '\n'
}

interface Described {
  readonly category: keyof typeof eventCatalogs
  readonly identifiedBy: string
  readonly guards: string
  readonly stateVersion: number
}

function streamsOf({ category, identifiedBy, guards, stateVersion }: Described): string {
  const catalog = eventCatalogs[category]
  const events = Object.entries(catalog.events).map(([type, definition]) => `- ${eventText(type, definition)}`)
  return [
    `## \`${category}\``,
    `Identified by: ${identifiedBy}. Guards: ${guards}.`,
    `Snapshots: ${snapshotText(catalog)}${catalog.snapshots === 'none' ? '' : `, version ${stateVersion}`}.`,
    events.join('\n'),
  ].join('\n\n')
}

function eventText(type: string, { version, personal = [], personalReason = false }: EventDefinition): string {
  const members = personal.map((member) => `\`${member}\``).join(', ')
  return [
    `\`${type}\``,
    ...(version > 1 ? [`version ${version}`] : []),
    ...(members === '' ? [] : [`personal: ${members}`]),
    ...(personalReason ? ['personal reason'] : []),
  ].join('; ')
}

function snapshotText({ subjectOf, snapshots }: EventCatalog): string {
  if (snapshots === 'none') return 'not kept'
  return subjectOf && snapshots !== 'clear' ? 'encrypted with the key of the account' : 'kept as they are'
}
