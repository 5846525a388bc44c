import { z } from 'zod'

const text = z.string()
const link = text.nullish()
const body = text.nullish()

const person = z.object({ login: text, html_url: link, avatar_url: link })
const commit = z.object({ id: text, message: text, url: link, author: z.object({ name: text }).nullish() })
const numbered = z.object({ number: z.int(), title: text, html_url: link, body })
const comment = z.object({ html_url: link, body })
const check = z.object({
  name: text.nullish(),
  html_url: link,
  conclusion: text.nullish(),
  head_branch: text.nullish(),
  head_sha: text.nullish(),
  app: z.object({ name: text.nullish() }).nullish(),
  check_suite: z.object({ head_branch: text.nullish() }).nullish(),
})

/** What is read of a delivery of GitHub. Members of which an event makes nothing may be missing. */
export const githubPayload = z.object({
  action: text.nullish(),
  repository: z.object({ name: text, full_name: text, html_url: link }),
  sender: person,
  ref: text.nullish(),
  ref_type: text.nullish(),
  compare: link,
  after: text.nullish(),
  forced: z.boolean().nullish(),
  commits: z.array(commit).nullish(),
  comment: comment.extend({ commit_id: text.nullish() }).nullish(),
  forkee: z.object({ full_name: text, html_url: link }).nullish(),
  issue: numbered.extend({ pull_request: z.unknown().optional() }).nullish(),
  pull_request: numbered.nullish(),
  review: comment.nullish(),
  release: z.object({ name: text.nullish(), tag_name: text, html_url: link, body }).nullish(),
  member: person.nullish(),
  discussion: numbered.nullish(),
  check_run: check.nullish(),
  check_suite: check.nullish(),
})

export type GithubPayload = z.output<typeof githubPayload>
