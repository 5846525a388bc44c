import type { FastifyInstance } from 'fastify'
import type { OpenDownload } from '../../../application/identity/archives/download-links.ts'
import type { ReadyState } from '../../../application/ports/readiness.ts'
import type { ConsoleRoute } from '../console/console-routes.ts'
import { archiveAnswers } from '../archives/archive-answer.ts'
import { attachmentAnswers, type AttachmentSource } from '../media/attachment-answer.ts'
import { relayAnswers, type UploadSource } from '../media/relay-answer.ts'
import { mediaAnswer, type FindExpressionImage, type MediaSource } from '../media/media-answer.ts'
import { builtFiles, docsPageFiles, type Documents } from '../openapi/built-files.ts'
import { docsFiles, pageAnswer } from '../openapi/docs-page.ts'
import type { Operation } from '../operation.ts'
import { jsonAnswer, jsonHeaders, textAnswer, type Answer } from '../answer.ts'
import type { Work } from '../request/exchange.ts'
import { fileAnswer } from '../file-answer.ts'
import type { FileSlots } from './file-slots.ts'
import { fixedBuckets, withinBucket, type RequestLimits } from './fixed-buckets.ts'
import { answering } from './hooks/answering.ts'
import type { HookParts, RouteConfig } from './hooks/request-state.ts'
import { queueOf } from '../request/queues/request-queues.ts'
import { pageFile } from '../pages/page-files.ts'
import type { PageRoute } from '../pages/page-routes.ts'

/** An operation, and how its requests are handled. */
export interface OperationWork {
  readonly operation: Operation
  readonly work: Work<Answer>
}

export function worksByName(operations: readonly OperationWork[]): ReadonlyMap<string, Work<Answer>> {
  return new Map(operations.map(({ operation, work }) => [operation.name, work]))
}

/** What is served below /media. */
export interface ServedMedia {
  readonly images: MediaSource
  readonly findExpression: FindExpressionImage
  readonly attachments: AttachmentSource
  /** What receives files before their messages. */
  readonly uploads: UploadSource
}

export interface RouteParts {
  readonly operations: readonly OperationWork[]
  /** Whether the docs page is served. */
  readonly hasDocs: boolean
  /** The pages that people are sent to. */
  readonly pages?: readonly PageRoute[]
  /** Those of the console. If absent, there is none. */
  readonly console?: readonly ConsoleRoute[]
  /** Those of the product. If absent, there is no reference of the Gateway. */
  readonly documents?: Documents | undefined
  /** Served below /media. If absent, nothing is. */
  readonly media?: ServedMedia | undefined
  /** Opens what links to archives name. If absent, there are none. */
  readonly openArchive?: OpenDownload | undefined
  readonly metrics: Work<Answer>
  /** The limits of what is served to everybody and is no operation. */
  readonly limits: RequestLimits
  readonly slots: FileSlots
  /** Whether requests are accepted, as /_health reports it. */
  readonly isServing: () => boolean
  /** What readiness reports. */
  readonly readyState: () => ReadyState
}

const forPeople = { openedByPeople: true } as const

type Add = (method: Operation['method'], url: string, config: RouteConfig, work: Work<Answer>) => void
type AddFixed = (url: string, config: FixedConfig, work: Work<Answer>) => void

/** Adds every route. A GET also serves HEAD, with the headers of its answer: Node sends no body then. */
export function addRoutes(app: FastifyInstance, parts: HookParts, served: RouteParts): void {
  const { operations, pages = [], hasDocs, documents, media, openArchive, limits, slots } = served
  const add: Add = (method, url, config, work) => {
    app.route({ method: method === 'GET' ? ['GET', 'HEAD'] : method, url, config, handler: answering(parts, work) })
  }
  const addFixed: AddFixed = (url, { bucket, ...config }, work) =>
    add('GET', url, config, withinBucket(fixedBuckets[bucket], limits, work))
  for (const { operation, work } of operations) {
    const { name, method, path, openToAllOrigins, fromStore: beyondBrake } = operation
    add(method, path, { name, openToAllOrigins, beyondBrake, queue: queueOf(operation) }, work)
  }
  addWatched(add, addFixed, served)
  if (media) {
    const options = { name: 'media', bucket: 'media', queue: 'reads', openToAllOrigins: true, ...forPeople } as const
    addFixed('/media/*', options, ({ path, search }) =>
      mediaAnswer(media.images, media.findExpression, { path, search }),
    )
    addFixed('/media/attachments/*', options, attachmentAnswers(media.attachments, slots.reads))
    const relay = withinBucket(fixedBuckets.relay, limits, relayAnswers(media.uploads, slots.relays))
    add('PUT', '/v1/relay/:key', { name: 'upload relay', queue: 'writes' }, relay)
  }
  const archive = { name: 'archive download', bucket: 'archive', queue: 'reads', ...forPeople } as const
  if (openArchive) addFixed('/v1/harvest-downloads/:id', archive, archiveAnswers(openArchive, slots.downloads))
  const page = { name: 'page', bucket: 'page', ...forPeople } as const
  for (const { method, path, queue, work } of pages)
    add(method, path, { ...page, queue }, withinBucket(fixedBuckets[page.bucket], limits, work))
  if (pages.length > 0)
    addFixed('/pages/:file', { ...page, queue: 'reads' }, async ({ path }) => pageFile(path.slice('/pages/'.length)))
  for (const { method, path, queue, isLimited, isPage, work } of served.console ?? [])
    add(
      method,
      path,
      { name: 'console', queue, openedByPeople: isPage },
      isLimited ? work : withinBucket(fixedBuckets.console, limits, work),
    )
  if (hasDocs) addDocs(addFixed, documents)
}

/** What monitors ask for. */
function addWatched(add: Add, addFixed: AddFixed, { metrics, isServing, readyState }: RouteParts): void {
  const health = async (): Promise<Answer> => (isServing() ? textAnswer(200, 'OK') : textAnswer(503, 'Not ready'))
  const watched = { name: 'health', bucket: 'health', beyondCeiling: true, beyondBans: true } as const
  addFixed('/_health', watched, health)
  addFixed('/_healthz', watched, health)
  const ready = async (): Promise<Answer> => jsonAnswer(readyState().ready ? 200 : 503, readyState())
  addFixed('/_ready', { ...watched, name: 'ready' }, ready)
  add('GET', '/_metrics', { name: 'metrics', beyondCeiling: true }, metrics)
}

function addDocs(addFixed: AddFixed, documents: RouteParts['documents']): void {
  const file = docsFiles()
  const built = builtFiles()
  const pages = { members: built(docsPageFiles.members), admins: built(docsPageFiles.admins) }
  const docs = { name: 'docs', bucket: 'docs', queue: 'reads', ...forPeople } as const
  if (documents) {
    addFixed('/docs/gateway', docs, async () => pageAnswer(documents.gatewayPage))
    addFixed('/docs/gateway.json', docs, async () => fileAnswer(documents.gateway, jsonHeaders))
  }
  addFixed('/docs', docs, async ({ search }) =>
    pageAnswer(new URLSearchParams(search).get('of') === 'admin' ? pages.admins : pages.members),
  )
  addFixed('/docs/:file', docs, async ({ path }) => file(path.slice('/docs/'.length)))
}

interface FixedConfig extends RouteConfig {
  readonly bucket: keyof typeof fixedBuckets
}
