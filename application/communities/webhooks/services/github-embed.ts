import type { Embed } from '../../../../domain/messages/embeds.ts'
import type { GithubPayload } from './github-payload.ts'
import { cut, description_chars_max, green, red, title_chars_max } from './shown-embed.ts'
import { webAddress } from './web-address.ts'

/** What an event comes to, before it is cut to its lengths. */
interface Told {
  /** After the name of the repository. */
  readonly title: string
  readonly url?: string | null | undefined
  readonly description?: string | null | undefined
  readonly color?: number
  /** The branch that the title is about. */
  readonly branch?: string
  readonly title_max?: number
}

const longTitle_chars_max = 256

/** What an event of GitHub shows; undefined for one that shows nothing. */
export function githubEmbed(event: string, payload: GithubPayload): Embed | undefined {
  const told = Object.hasOwn(events, event) ? events[event]?.(payload) : undefined
  if (!told) return undefined
  const { repository, sender } = payload
  const name = told.branch === undefined ? repository.full_name : `${repository.name}:${told.branch}`
  const [url, authorUrl, iconUrl] = [told.url, sender.html_url, sender.avatar_url].map(webAddress)
  const description = told.description ? cut(told.description, description_chars_max) : undefined
  return {
    title: cut(`[${name}] ${told.title}`, told.title_max ?? title_chars_max),
    ...(description === undefined ? {} : { description }),
    ...(url === undefined ? {} : { url }),
    color: told.color ?? 0,
    author: {
      name: cut(sender.login, longTitle_chars_max),
      ...(authorUrl === undefined ? {} : { url: authorUrl }),
      ...(iconUrl === undefined ? {} : { iconUrl }),
    },
  }
}

type Tell = (payload: GithubPayload) => Told | undefined

const events: Readonly<Record<string, Tell>> = {
  commit_comment: ({ action, comment }) =>
    action === 'created' && comment
      ? {
          title: `New comment on commit ${shortHash(comment.commit_id)}`,
          url: comment.html_url,
          description: comment.body,
        }
      : undefined,
  create: refOf('New', 'created'),
  delete: refOf('', 'deleted'),
  fork: ({ forkee }) => (forkee && { title: `Fork created: ${forkee.full_name}`, url: forkee.html_url }) || undefined,
  issue_comment: ({ action, issue, comment }) =>
    action === 'created' && issue && comment
      ? {
          title: `New comment on ${issue.pull_request ? 'pull request' : 'issue'} #${issue.number}: ${issue.title}`,
          url: comment.html_url,
          description: comment.body,
        }
      : undefined,
  issues: ({ action, issue }) => numberedOf('Issue', action, issue),
  member: ({ action, member }) =>
    action === 'added' && member
      ? { title: `New collaborator added: ${member.login}`, url: member.html_url }
      : undefined,
  public: ({ repository }) => ({ title: 'Now open sourced!', url: repository.html_url }),
  pull_request: ({ action, pull_request: asked }) => numberedOf('Pull request', action, asked),
  pull_request_review: ({ action, pull_request: asked, review }) =>
    action === 'submitted' && asked && review
      ? {
          title: `Review submitted on pull request #${asked.number}: ${asked.title}`,
          url: review.html_url,
          description: review.body,
        }
      : undefined,
  pull_request_review_comment: ({ action, pull_request: asked, comment }) =>
    action === 'created' && asked && comment
      ? {
          title: `New review comment on pull request #${asked.number}: ${asked.title}`,
          url: comment.html_url,
          description: comment.body,
        }
      : undefined,
  push,
  release: ({ action, release }) =>
    action === 'published' && release
      ? {
          title: `New release published: ${release.name ?? release.tag_name}`,
          url: release.html_url,
          description: release.body,
        }
      : undefined,
  watch: ({ action, repository }) =>
    action === 'started' ? { title: 'New star added', url: repository.html_url } : undefined,
  check_run: ({ action, check_run: check }) => (action === 'completed' ? checked(check) : undefined),
  check_suite: ({ action, check_suite: check }) => (action === 'completed' ? checked(check) : undefined),
  discussion: ({ action, discussion }) =>
    action === 'created' && discussion
      ? {
          title: `New discussion #${discussion.number}: ${discussion.title}`,
          url: discussion.html_url,
          description: discussion.body,
        }
      : undefined,
  discussion_comment: ({ action, discussion, comment }) =>
    action === 'created' && discussion && comment
      ? {
          title: `New comment on discussion #${discussion.number}: ${discussion.title}`,
          url: comment.html_url,
          description: comment.body,
        }
      : undefined,
  repository: ({ action, repository }) =>
    action === 'created' ? { title: 'Repository created', url: repository.html_url } : undefined,
}

function refOf(before: string, after: string): Tell {
  return ({ ref, ref_type: type, repository }) => {
    if (!ref || (type !== 'branch' && type !== 'tag')) return undefined
    const said = `${before} ${type} ${after}: ${ref}`.trim()
    return { title: said.charAt(0).toUpperCase() + said.slice(1), url: repository.html_url }
  }
}

const stateChanges: readonly unknown[] = ['opened', 'closed', 'reopened']

function numberedOf(
  thing: string,
  action: GithubPayload['action'],
  about: GithubPayload['pull_request'],
): Told | undefined {
  if (!about || !stateChanges.includes(action)) return undefined
  const said = { title: `${thing} ${action}: #${about.number} ${about.title}`, url: about.html_url }
  return action === 'opened' ? { ...said, description: about.body } : said
}

/** One line for each commit; of a forced push, where it can be compared. */
function push({ ref, forced, compare, after, commits }: GithubPayload): Told | undefined {
  const branch = ref?.replace(/^refs\/(?:heads|tags)\//, '')
  if (!branch) return undefined
  const of = { branch, title_max: longTitle_chars_max, url: compare }
  if (forced === true) {
    const link = webAddress(compare)
    const description = link === undefined ? undefined : `[Compare changes](${link})`
    return { ...of, title: `Branch was force-pushed to ${shortHash(after)}`, description }
  }
  const count = commits?.length ?? 0
  if (!commits || count === 0) return undefined
  const lines = commits.map(({ id, message, url, author }) => {
    const hash = `\`${shortHash(id)}\``
    const link = webAddress(url)
    const [first = ''] = message.split('\n', 1)
    return `${link === undefined ? hash : `[${hash}](${link})`} ${first}${author ? ` - ${author.name}` : ''}`
  })
  const [only] = commits
  const title = `${count} new commit${count === 1 ? '' : 's'}`
  return { ...of, title, url: count === 1 ? only?.url : compare, description: wholeLines(lines) }
}

/** A skipped check says nothing; one that succeeded is green, any other red. */
function checked(check: GithubPayload['check_run']): Told | undefined {
  const conclusion = check?.conclusion
  if (!check || !conclusion || conclusion === 'skipped') return undefined
  const name = check.name ?? check.app?.name ?? 'Checks'
  const branch = check.head_branch ?? check.check_suite?.head_branch ?? shortHash(check.head_sha)
  return {
    title: `${name} ${conclusion === 'success' ? 'succeeded' : conclusion.replace(/_/g, ' ')} on ${branch}`,
    url: check.html_url,
    color: conclusion === 'success' ? green : red,
    title_max: longTitle_chars_max,
  }
}

const shortHash = (hash: string | null | undefined): string => (hash ?? '').slice(0, 7)

/** The first lines that fit together: no link is cut. */
function wholeLines(lines: readonly string[]): string {
  let said = ''
  for (const line of lines) {
    const next = said === '' ? line : `${said}\n${line}`
    if (said !== '' && next.length > description_chars_max) break
    said = next
  }
  return said
}
