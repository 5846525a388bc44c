import { z } from 'zod'
import type { Embed } from '../../../../domain/messages/embeds.ts'
import { cut, description_chars_max, green, red, title_chars_max } from './shown-embed.ts'
import { webAddress } from './web-address.ts'

const text = z.string()
const updates = z.array(z.object({ body: text.nullish(), created_at: text.nullish() })).nullish()
const trouble = z.object({ name: text, status: text, url: text.nullish() })

/** What is read of a message of Instatus: a status page, and an incident, a maintenance or a component of it. */
const payload = z.object({
  page: z.object({ url: text.nullish() }).nullish(),
  incident: trouble.extend({ incident_updates: updates }).nullish(),
  maintenance: trouble.extend({ maintenance_updates: updates }).nullish(),
  component: z.object({ name: text, status: text }).nullish(),
})

/** With which nothing is wrong any more. */
const good: ReadonlySet<string> = new Set(['RESOLVED', 'COMPLETED', 'OPERATIONAL'])

/** What a message of Instatus shows; undefined for one that shows nothing. */
export function instatusEmbed(body: unknown): Embed | undefined {
  const { data } = payload.safeParse(body)
  const { page, incident, maintenance, component } = data ?? {}
  if (incident) return shown('Incident', incident, incident.url ?? page?.url, newestOf(incident.incident_updates))
  if (maintenance)
    return shown('Maintenance', maintenance, maintenance.url ?? page?.url, newestOf(maintenance.maintenance_updates))
  return component ? shown('Component', component, page?.url, undefined) : undefined
}

function shown(
  thing: string,
  { name, status }: { readonly name: string; readonly status: string },
  address: string | null | undefined,
  said: string | undefined,
): Embed {
  const url = webAddress(address)
  const state = status.toLowerCase().replace(/_/g, ' ')
  return {
    title: cut(`${thing} ${state}: ${name}`, title_chars_max),
    ...(said ? { description: cut(said, description_chars_max) } : {}),
    ...(url === undefined ? {} : { url }),
    color: good.has(status.toUpperCase()) ? green : red,
  }
}

/** The text of the last update, by their times; without times, of the first that is named. */
function newestOf(all: z.output<typeof updates>): string | undefined {
  const [newest] = (all ?? []).toSorted((one, other) =>
    (one.created_at ?? '') < (other.created_at ?? '') ? 1 : (one.created_at ?? '') > (other.created_at ?? '') ? -1 : 0,
  )
  return newest?.body ?? undefined
}
