import { isAround, judgeAround, type AroundCommand } from './directory-around.ts'
import type {
  Answer,
  Application,
  Applications,
  Directory,
  GuildName,
  ListingBody,
  Outcome,
} from './directory-world.ts'

/** A plain model of the guild directory: what each request is answered, and what is there afterwards. */

export const managers = ['owner', 'manager', 'member', 'stranger'] as const
export type Manager = (typeof managers)[number]
export const reviewers = ['first', 'second', 'reviewer'] as const
export type Reviewer = (typeof reviewers)[number]

/** A request for each of these operations, with what is sent. */
type Request<Op, By, Sent = unknown> = Op extends string
  ? { readonly op: Op; readonly by: By; readonly guild: GuildName } & Sent
  : never

export type Command = AroundCommand | ApplicationCommand

/** A request about one application, or several. */
export type ApplicationCommand =
  | Request<'apply' | 'update', Manager, { readonly body: ListingBody }>
  | Request<'withdraw' | 'status', Manager>
  | Request<'review', Reviewer, { readonly body: ReviewBody }>
  | Request<'edit', Reviewer, { readonly body: ListingBody }>
  | Request<'remove', Reviewer, { readonly body: { readonly reason?: string } }>
  | {
      readonly op: 'move'
      readonly by: Reviewer
      readonly guilds: readonly GuildName[]
      readonly category_type: number
    }

export interface ReviewBody {
  readonly status: string
  readonly reason?: string
}

const statuses: Readonly<Record<string, number>> = {
  INVALID_FORM_BODY: 400,
  DISCOVERY_NOT_DISCOVERABLE: 400,
  MISSING_PERMISSIONS: 403,
  MISSING_ACL: 403,
  UNKNOWN_GUILD: 404,
  DISCOVERY_APPLICATION_NOT_FOUND: 404,
  DISCOVERY_ALREADY_APPLIED: 409,
  DISCOVERY_APPLICATION_ALREADY_REVIEWED: 409,
}

/** What a command is answered in this directory. */
export function judge(directory: Directory, command: Command): Outcome {
  if (isAround(command)) return judgeAround(directory, command)
  const { applications } = directory
  const code = refusalOf(applications, command)
  if (code !== undefined) return { answer: { status: statuses[code] ?? 0, code }, after: directory }
  const { answer, after } = done(directory, command)
  return { answer, after: { ...directory, applications: after } }
}

/** What a request is answered, and the applications afterwards. */
interface Done {
  readonly answer: Answer
  readonly after: Applications
}

function refusalOf(directory: Applications, command: ApplicationCommand): string | undefined {
  if (command.op === 'remove' && command.by === 'reviewer') return 'MISSING_ACL'
  if (!isValid(command)) return 'INVALID_FORM_BODY'
  if (command.op === 'move') return undefined
  const own = directory[command.guild]
  if (isOfGuild(command)) {
    if (command.guild === 'nowhere') return 'UNKNOWN_GUILD'
    if (command.by === 'member' || command.by === 'stranger') return 'MISSING_PERMISSIONS'
  }
  if (command.op === 'status') return undefined
  if (command.op === 'apply') return own && isOpen(own) ? 'DISCOVERY_ALREADY_APPLIED' : undefined
  if (!own) return 'DISCOVERY_APPLICATION_NOT_FOUND'
  if (command.op === 'remove') return own.status === 'approved' ? undefined : 'DISCOVERY_NOT_DISCOVERABLE'
  if (command.op === 'withdraw') return undefined
  const isRefused = command.op === 'review' ? own.status !== 'pending' : !isOpen(own)
  return isRefused ? 'DISCOVERY_APPLICATION_ALREADY_REVIEWED' : undefined
}

const isOpen = ({ status }: Application): boolean => status === 'pending' || status === 'approved'

function isOfGuild(command: ApplicationCommand): command is Extract<ApplicationCommand, { readonly by: Manager }> {
  return ['apply', 'update', 'withdraw', 'status'].includes(command.op)
}

function isValid(command: ApplicationCommand): boolean {
  switch (command.op) {
    case 'withdraw':
    case 'status':
      return true
    case 'apply':
      return (
        isListing(command.body) && command.body.description !== undefined && command.body.category_type !== undefined
      )
    case 'update':
    case 'edit':
      return isListing(command.body)
    case 'move':
      return command.guilds.length > 0 && isCategory(command.category_type)
    case 'remove':
      return isReason(command.body.reason)
    case 'review': {
      const { status, reason } = command.body
      if (status === 'approved') return reason === undefined || isReason(reason)
      return status === 'rejected' && isReason(reason)
    }
  }
}

const isCategory = (id: number): boolean => Number.isInteger(id) && id >= 0 && id <= 8
const isReason = (text: string | undefined): boolean => text !== undefined && text.length >= 1 && text.length <= 500

function isListing({
  description,
  category_type: category,
  primary_language: language,
  custom_tags: tags,
}: ListingBody) {
  const isDescribed = description === undefined || (description.length >= 10 && description.length <= 300)
  const isPlaced = category === undefined || isCategory(category)
  const isSpoken = language === undefined || ['en-US', 'ja', 'pt-BR'].includes(language)
  const isTagged = tags === undefined || (tags.length <= 10 && tags.every(isTag))
  return isDescribed && isPlaced && isSpoken && isTagged
}

function isTag(text: string): boolean {
  const tag = keptTag(text)
  const isLong = (each: string): boolean => each.length >= 2 && each.length <= 30
  return isLong(text) && isLong(tag) && /^[a-z0-9][a-z0-9 \-_+&]*$/.test(tag)
}

const keptTag = (text: string): string => text.trim().toLowerCase().split(/\s+/).join(' ')

function done({ applications, features }: Directory, command: ApplicationCommand): Done {
  if (command.op === 'move') return moved(applications, command)
  const { guild } = command
  const own = applications[guild]
  const { [guild]: _, ...others } = applications
  if (command.op === 'withdraw') return { answer: { status: 204 }, after: others }
  if (command.op === 'status') return { answer: { status: 200, application: own ?? null }, after: applications }
  const needsNoReview = guild !== 'nowhere' && features[guild].includes('VERIFIED')
  const application = command.op === 'apply' ? submitted(needsNoReview, command.body) : own && changed(own, command)
  if (!application) return { answer: { status: 0 }, after: applications }
  return { answer: { status: 200, application }, after: { ...applications, [guild]: application } }
}

function submitted(needsNoReview: boolean, body: ListingBody): Application {
  return {
    status: needsNoReview ? 'approved' : 'pending',
    description: '',
    category_type: 0,
    primary_language: 'en-US',
    custom_tags: [],
    ...written(body),
    review_reason: null,
    removal_reason: null,
  }
}

function written({ custom_tags: tags, ...body }: ListingBody): ListingBody {
  return tags ? { ...body, custom_tags: [...new Set(tags.map(keptTag))] } : body
}

function changed(
  own: Application,
  command: Exclude<ApplicationCommand, { readonly op: 'move' | 'apply' | 'withdraw' | 'status' }>,
) {
  switch (command.op) {
    case 'update':
    case 'edit':
      return { ...own, ...written(command.body) }
    case 'remove':
      return { ...own, status: 'removed' as const, removal_reason: command.body.reason ?? null }
    case 'review':
      return {
        ...own,
        status: command.body.status === 'approved' ? ('approved' as const) : ('rejected' as const),
        review_reason: command.body.reason ?? null,
      }
  }
}

function moved(
  directory: Applications,
  { guilds, category_type }: Extract<ApplicationCommand, { readonly op: 'move' }>,
): Done {
  const failed: GuildName[] = []
  let after = directory
  for (const guild of new Set(guilds)) {
    const own = after[guild]
    if (own && isOpen(own)) after = { ...after, [guild]: { ...own, category_type } }
    else failed.push(guild)
  }
  const updated = new Set(guilds).size - failed.length
  return { answer: { status: 200, moved: { updated, failed } }, after }
}
