import { describe, expect, it } from 'vitest'
import { streamsPage } from '../../../cli/reference/streams.ts'
import { aggregates } from '../../../domain/aggregates.ts'

/** The section of the page about one category. */
const sectionOf = (category: string): string =>
  streamsPage()
    .split(/^## /m)
    .find((section) => section.startsWith(`\`${category}\`\n`)) ?? ''

describe('the page of streams', () => {
  it.each(Object.values(aggregates).map(({ category, events, guards }) => ({ category, events, guards })))(
    'lists the streams of $category with what they guard, and each of their events once',
    ({ category, events, guards }) => {
      const lines = sectionOf(category).split('\n')
      expect(lines.filter((line) => line.includes(`Guards: ${guards}.`))).toHaveLength(1)
      const types = lines.flatMap((line) => /^- `(\w+)`/.exec(line)?.[1] ?? [])
      expect(types).toStrictEqual(Object.keys(events))
    },
  )

  it('gives the version of an event if it is not the first, and its personal members', () => {
    expect(sectionOf('membership')).toContain(
      '\n- `MemberBanned`; version 2; personal: `reason`, `email`, `ip`; personal reason\n',
    )
    expect(sectionOf('membership')).toContain('\n- `MemberLeft`\n')
    expect(sectionOf('handle')).not.toContain('personal')
  })

  it('says how snapshots are kept', () => {
    expect(sectionOf('account')).toContain(
      `\nSnapshots: encrypted with the key of the account, version ${aggregates.account.stateVersion}.\n`,
    )
    expect(sectionOf('admin_audit')).toContain('\nSnapshots: kept as they are, version 1.\n')
    expect(sectionOf('relationship')).toContain('\nSnapshots: not kept.\n')
    expect(sectionOf('guild')).toContain('\nSnapshots: kept as they are, version 2.\n')
  })
})
