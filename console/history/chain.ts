import type { ReplyOf } from '../api/call.ts'

/** A request with all that followed from it. */
export type Explanation = ReplyOf<'explainHistory'>

/** What a thing in a chain is. Dispatches and read models stand together for each event. */
export type LinkKind = 'request' | 'command' | 'event' | 'job' | 'mail' | 'dispatches' | 'read_models'

/** One thing in a chain: what it is, what is known of it, and what it led to. */
export interface ChainLink {
  readonly id: string
  readonly kind: LinkKind
  readonly text: string
  readonly facts: object
  /** What it followed from; undefined for the request. */
  readonly cause: ChainLink | undefined
  readonly effects: ChainLink[]
  /** The stream of an event. */
  readonly stream?: string
  /** The entry in the admin audit log of a request. */
  readonly entry?: string
}

type Found = Omit<ChainLink, 'effects' | 'cause'>

/** The chains of an explanation, each from its request on. */
export function chainsOf({ requests, nodes, jobs, mails, edges }: Explanation): readonly ChainLink[] {
  const links = new Map<string, ChainLink>()
  const causeOf = new Map(edges.map(({ from, to }) => [to, from]))
  const add = (found: Found, cause?: ChainLink): ChainLink => {
    const link = { ...found, cause, effects: [] }
    links.set(link.id, link)
    cause?.effects.push(link)
    return link
  }
  const roots = requests.map((request) => {
    const entry = request.audit_log_ids.at(-1)
    const text = request.operation ?? request.actor.id
    return add({ id: request.id, kind: 'request', text, facts: request, ...(entry !== undefined && { entry }) })
  })
  /** What led to a thing: something that is known, or a command of its request. */
  const cause = (id: string, correlationId: string): ChainLink | undefined => {
    const from = causeOf.get(id) ?? correlationId
    const root = links.get(correlationId) ?? roots[0]
    return links.get(from) ?? add({ id: from, kind: 'command', text: from.slice(0, 8), facts: { id: from } }, root)
  }
  for (const event of nodes) {
    const { event_id: id, correlation_id: correlationId, type: text, stream, ...others } = event
    const link = add({ id, kind: 'event', text, stream, facts: { ...event } }, cause(id, correlationId))
    if (others.dispatches.length > 0) add(listed(id, 'dispatches', others.dispatches), link)
    if (others.read_models.length > 0) add(listed(id, 'read_models', others.read_models), link)
  }
  for (const job of jobs)
    add({ id: job.id, kind: 'job', text: job.task_type, facts: job }, cause(job.id, job.correlation_id))
  for (const mail of mails)
    add({ id: mail.id, kind: 'mail', text: mail.template ?? mail.id, facts: mail }, cause(mail.id, mail.correlation_id))
  return roots
}

function listed(eventId: string, kind: 'dispatches' | 'read_models', names: readonly string[]): Found {
  return { id: `${eventId} ${kind}`, kind, text: names.join(', '), facts: { [kind]: names } }
}

/** All links of some chains, causes before their effects. */
export function linksIn(chains: readonly ChainLink[]): readonly ChainLink[] {
  return chains.flatMap((link) => [link, ...linksIn(link.effects)])
}

/** A link with its place in a drawing: the layer, which is how far it is from its request, and the row. */
export interface Placed {
  readonly link: ChainLink
  readonly layer: number
  readonly row: number
}

/** Places chains by layers: each link stands in the middle of its effects, and no two in one row of a layer. */
export function placed(chains: readonly ChainLink[]): readonly Placed[] {
  const all: Placed[] = []
  let rows = 0
  const place = (link: ChainLink, layer: number): number => {
    const within = link.effects.map((effect) => place(effect, layer + 1))
    const [first, last] = [within[0], within.at(-1)]
    const row = first === undefined || last === undefined ? rows++ : (first + last) / 2
    all.push({ link, layer, row })
    return row
  }
  for (const chain of chains) place(chain, 0)
  return all
}

/** Where an arrow key leads from a link: to its cause, its first effect, or the one beside it. */
export function neighbour(link: ChainLink, key: string, chains: readonly ChainLink[]): ChainLink | undefined {
  if (key === 'ArrowLeft') return link.cause
  if (key === 'ArrowRight') return link.effects[0]
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  if (step === 0) return undefined
  const beside = link.cause?.effects ?? chains
  return beside[beside.indexOf(link) + step]
}
