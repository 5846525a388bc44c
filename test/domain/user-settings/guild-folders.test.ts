import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import {
  firstArrangement,
  foldersNow,
  uncategorised,
  type GuildFolder,
  type Stay,
} from '../../../domain/user-settings/guild-folders.ts'
import { property } from '../../support/property.ts'
import { away, home, start, third } from '../../../domain/testing/people.ts'
import { folders, stays } from '../../../domain/testing/commands/settings-arbitraries.ts'

const folder = (id: number | null, ...guildIds: readonly Stay['guildId'][]): GuildFolder => ({
  id,
  name: null,
  color: null,
  flags: 0,
  icon: 'folder',
  guildIds,
})
const stay = (guildId: Stay['guildId'], minutes = 0): Stay => ({
  guildId,
  joinedAt: secondsAfter(start, minutes * 60),
})

describe('folder upkeep', () => {
  it('begins with one folder, and nothing in it', () => {
    expect(foldersNow(firstArrangement, [])).toStrictEqual([folder(uncategorised)])
  })

  it('prepends a guild that is joined to folder -1', () => {
    expect(foldersNow(firstArrangement, [stay(away, 1), stay(home)])).toStrictEqual([folder(uncategorised, away, home)])
    const arranged = { folders: [folder(1, home), folder(uncategorised, away)], stays: [stay(home), stay(away)] }
    expect(foldersNow(arranged, [stay(third, 2), stay(home), stay(away)])).toStrictEqual([
      folder(1, home),
      folder(uncategorised, third, away),
    ])
  })

  it('makes folder -1, with color null, where there is none', () => {
    const arranged = { folders: [folder(1, home)], stays: [stay(home)] }
    expect(foldersNow(arranged, [stay(away, 1), stay(home)])).toStrictEqual([
      folder(uncategorised, away),
      folder(1, home),
    ])
  })

  it('leaves a guild where it was listed before it was joined', () => {
    const arranged = { folders: [folder(1, home), folder(uncategorised)], stays: [] }
    expect(foldersNow(arranged, [stay(home)])).toStrictEqual(arranged.folders)
  })

  it('removes a guild that is left everywhere, and drops an emptied folder other than -1', () => {
    const arranged = {
      folders: [folder(1, home), folder(2, home, away), folder(uncategorised, home), folder(3)],
      stays: [stay(home), stay(away)],
    }
    expect(foldersNow(arranged, [stay(away)])).toStrictEqual([folder(2, away), folder(uncategorised), folder(3)])
  })

  it('prepends a guild to folder -1 that was left and joined again', () => {
    const arranged = { folders: [folder(1, home), folder(uncategorised, away)], stays: [stay(home), stay(away)] }
    expect(foldersNow(arranged, [stay(home, 5), stay(away)])).toStrictEqual([folder(uncategorised, home, away)])
  })

  it('leaves out what was left out', () => {
    const arranged = { folders: [folder(uncategorised)], stays: [stay(home)] }
    expect(foldersNow(arranged, [stay(home)])).toStrictEqual([folder(uncategorised)])
  })

  property('shows what was arranged while nothing is joined or left', fc.tuple(folders, stays), ([arranged, then]) => {
    expect(foldersNow({ folders: arranged, stays: then }, then)).toStrictEqual(arranged)
  })

  const changes = fc.tuple(folders, stays, stays)
  property('lists every guild that was joined since', changes, ([arranged, then, now]) => {
    const listed = foldersNow({ folders: arranged, stays: then }, now).flatMap(({ guildIds }) => guildIds)
    const before = then.map(({ guildId }) => guildId)
    for (const { guildId } of now) if (!before.includes(guildId)) expect(listed).toContain(guildId)
  })

  property('lists no guild that was left since', changes, ([arranged, then, now]) => {
    const listed = foldersNow({ folders: arranged, stays: then }, now).flatMap(({ guildIds }) => guildIds)
    const current = now.map(({ guildId }) => guildId)
    for (const { guildId } of then) if (!current.includes(guildId)) expect(listed).not.toContain(guildId)
  })
})
