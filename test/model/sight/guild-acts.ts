import { permissionBits } from '../../../domain/permissions/permission-bits.ts'
import { accept, bodyOf } from '../../operations/support/answers.ts'
import { madeEmoji, madeSticker } from '../../operations/support/expressions.ts'
import { picked, sendAs, type Stage } from './stage.ts'
import { overwritten, type StepOf } from './steps.ts'

/** What the owner changes in a guild, and who comes and goes. Each step gives whether there was anything to do it to. */
export class GuildActs {
  readonly #stage: Stage
  readonly #expressions: { emojis: readonly string[]; stickers: readonly string[] } = { emojis: [], stickers: [] }

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async overwrite({ channel, target, values }: StepOf<'overwrite'>): Promise<boolean> {
    const { home, roles, members, channels } = this.#stage
    const bits = (wanted: string): string =>
      overwritten
        .filter((_, index) => values[index] === wanted)
        .reduce((sum, name) => sum | permissionBits[name], 0n)
        .toString()
    const ids = {
      everyone: home.id,
      role: target.kind === 'role' ? roles[target.role] : undefined,
      member: target.kind === 'member' ? members[target.member]?.account.id : undefined,
    }
    if (target.kind === 'member' && members[target.member]?.isMember !== true) return false
    const body = { type: target.kind === 'member' ? 1 : 0, allow: bits('allow'), deny: bits('deny') }
    return this.#does('PUT', `/v1/channels/${channels[channel]}/permissions/${ids[target.kind]}`, body)
  }

  async giveOrTake({ member: number, role }: StepOf<'role'>): Promise<boolean> {
    const { home, members, roles } = this.#stage
    const member = members[number]
    if (member?.isMember !== true) return false
    const has = member.roles.delete(role)
    if (!has) member.roles.add(role)
    const path = `/v1/guilds/${home.id}/members/${member.account.id}/roles/${roles[role]}`
    return this.#does(has ? 'DELETE' : 'PUT', path)
  }

  async leaveOrJoin({ member: number }: StepOf<'membership'>): Promise<boolean> {
    const { guildhall, home, members, code } = this.#stage
    const member = members[number]
    if (!member) return false
    if (member.isMember) {
      member.roles.clear()
      await this.#does('DELETE', `/v1/guilds/${home.id}/members/${member.account.id}`)
    } else bodyOf(await accept(guildhall, member.account, code))
    member.isMember = !member.isMember
    return true
  }

  async changeExpression({ kind, what, expression }: StepOf<'expression'>): Promise<boolean> {
    const { guildhall, home } = this.#stage
    const known = this.#expressions[kind]
    if (what === 'create') {
      const make = kind === 'emojis' ? madeEmoji : madeSticker
      this.#expressions[kind] = [...known, await make(guildhall, home.owner, home.id, { name: `made_${expression}` })]
      return true
    }
    const id = picked(known, expression)
    if (id === undefined) return false
    const path = `/v1/guilds/${home.id}/${kind}/${id}`
    if (what === 'change') return this.#does('PATCH', path, { name: `named_${expression}` })
    this.#expressions[kind] = known.filter((each) => each !== id)
    return this.#does('DELETE', path)
  }

  async #does(method: string, path: string, body?: object): Promise<boolean> {
    bodyOf(await sendAs(this.#stage, this.#stage.home.owner, method, path, body))
    return true
  }
}
