import { expect } from 'vitest'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { Payload } from '../../gateway/support/client.ts'
import { accept, bodyOf, found, invite } from '../../operations/support/answers.ts'
import { file, payload, sendForm } from '../../operations/support/forms.ts'
import { placeOf, type Place } from '../../operations/support/members.ts'
import { messagesPath, sent } from '../../operations/support/messages.ts'
import { threadsHeader, threadsOf } from '../../operations/support/threads.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { factIn, isHeard, isMark, messageIn, messageOf, type Fact } from './facts.ts'
import { channels_count, members_count, overwritten, roles_count, type OnMessage, type Step } from './steps.ts'
import { watch, type Watcher } from './watcher.ts'

interface Said {
  readonly id: string
  readonly channel: string
}

interface Member {
  readonly account: TestAccount
  readonly watcher: Watcher
  /** What it should have heard while its connection was lost. */
  missed: string[]
  isMember: boolean
  readonly roles: Set<number>
}

/** A guild whose owner sees everything, and members of whom each step changes who sees what. */
export class Play {
  readonly #parts: Parts
  #threads: { readonly id: string; readonly isPrivate: boolean }[] = []
  #said: Said[] = []
  #marks = 0

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  static async open(guildhall: TestGuildhall, people: readonly TestAccount[]): Promise<Play> {
    const [ada, ...others] = people
    if (!ada) throw new Error('nobody plays')
    const home = await placeOf(guildhall, ada)
    const square = await found(guildhall, ada, 'Square')
    const channels: string[] = []
    while (channels.length < channels_count)
      channels.push(String(bodyOf(await home.send(ada, 'POST', '/channels', { name: 'talk', type: 0 }))['id']))
    const roles: string[] = []
    while (roles.length < roles_count) roles.push(await home.role())
    const [code, way] = [await invite(guildhall, ada, home.channel), await invite(guildhall, ada, square.channel)]
    const members: Member[] = []
    for (const account of others.slice(0, members_count)) {
      for (const each of [code, way]) bodyOf(await accept(guildhall, account, each))
      const watcher = await watch(guildhall.url, account)
      members.push({ account, watcher, missed: [], isMember: true, roles: new Set() })
    }
    const owner = await watch(guildhall.url, ada)
    const play = new Play({ guildhall, home, square, owner, members, roles, channels, code })
    // What was told of the joins is over.
    const mark = await play.#mark()
    for (const { heardUntil } of [owner, ...members.map(({ watcher }) => watcher)])
      await heardUntil((each) => isMark(each, mark))
    return play
  }

  /** Takes a step, and expects that each session hears of it what HTTP shows to its account then, and nothing else. */
  async take(step: Step): Promise<void> {
    // Of what is deleted, HTTP shows nothing afterwards.
    const before = step.type === 'delete' ? await this.#readersOf(this.#picked(this.#said, step.message)) : new Set()
    if (!(await this.#happens(step))) return
    const mark = await this.#mark()
    const all = (await this.#parts.owner.heardUntil((heard) => isMark(heard, mark))).flatMap((each) =>
      this.#factsIn(each),
    )
    for (const member of this.#parts.members) {
      const due: string[] = []
      for (const fact of all)
        if (fact.t === 'MESSAGE_DELETE' ? before.has(member) : await isHeard(fact, (path) => this.#read(member, path)))
          due.push(fact.text)
      if (!member.watcher.isThere()) {
        member.missed.push(...due)
        continue
      }
      const heard = await member.watcher.heardUntil((each) => isMark(each, mark))
      const facts = heard.flatMap((each) => this.#factsIn(each))
      const isBack = step.type === 'connection' && this.#parts.members[step.member] === member
      const expected = isBack ? [...member.missed, ...due] : due
      if (isBack) member.missed = []
      const texts = facts.map(({ text }) => text)
      expect(texts, `after ${JSON.stringify(step)}: ${texts.join()} for ${expected.join()}`).toStrictEqual(expected)
      if (!isBack) await this.#compare(member, heard)
    }
  }

  /** Without those of the marks: who resumes hears all that were missed. */
  #factsIn(heard: Payload): readonly Fact[] {
    const fact = factIn(heard)
    return fact && fact.channel !== this.#parts.square.channel ? [fact] : []
  }

  end(): void {
    for (const { end } of [this.#parts.owner, ...this.#parts.members.map(({ watcher }) => watcher)]) end()
  }

  /** A message in a dispatch is what HTTP gives to the same account, files with addresses that can be read among it. */
  async #compare(member: Member, heard: readonly Payload[]): Promise<void> {
    for (const each of heard) {
      const message = messageIn(each)
      if (!message) continue
      const shown = await this.#read(member, messagesPath(message.channel_id, message.id))
      if (shown.status !== 200) continue
      const { referenced_message: quoted } = messageOf(shown.body)
      expect(message.referenced_message?.id).toBe(quoted?.id)
      for (const { url } of message.attachments)
        expect(
          (await fetch(new URL(new URL(url).pathname + new URL(url).search, this.#parts.guildhall.url))).status,
        ).toBe(200)
    }
  }

  #read({ account }: Pick<Member, 'account'>, path: string): Promise<TestAnswer> {
    return this.#parts.guildhall.request('GET', path, { token: account.token, headers: threadsHeader })
  }

  async #readersOf(said: Said | undefined): Promise<Set<Member>> {
    const readers = new Set<Member>()
    if (said)
      for (const member of this.#parts.members)
        if ((await this.#read(member, messagesPath(said.channel, said.id))).status === 200) readers.add(member)
    return readers
  }

  async #mark(): Promise<string> {
    this.#marks += 1
    const content = `mark ${this.#marks}`
    await sent(this.#parts.guildhall, this.#parts.home.owner, this.#parts.square.channel, content)
    return content
  }

  /** Does what a step says. False where there is nothing that it could be done to. */
  async #happens(step: Step): Promise<boolean> {
    switch (step.type) {
      case 'overwrite':
        return this.#overwrite(step)
      case 'role':
        return this.#giveOrTake(step)
      case 'membership':
        return this.#leaveOrJoin(step)
      case 'thread':
        return this.#startThread(step)
      case 'thread member':
        return this.#addToThread(step)
      case 'send':
        return this.#say(step)
      case 'reply':
        return this.#reply(step)
      case 'write': {
        const place = this.#picked(this.#places(), step.place)
        return place !== undefined && this.#does('POST', `/v1/channels/${place}/typing`)
      }
      case 'connection':
        return this.#loseOrResume(step)
      default:
        return this.#change(step.type, this.#picked(this.#said, step.message))
    }
  }

  async #overwrite({ channel, target, values }: Extract<Step, { type: 'overwrite' }>): Promise<boolean> {
    const bits = (wanted: string): string =>
      overwritten
        .filter((_, index) => values[index] === wanted)
        .reduce((sum, name: PermissionName) => sum | permissionBits[name], 0n)
        .toString()
    const ids = {
      everyone: this.#parts.home.id,
      role: target.kind === 'role' ? this.#parts.roles[target.role] : undefined,
      member: target.kind === 'member' ? this.#parts.members[target.member]?.account.id : undefined,
    }
    if (target.kind === 'member' && this.#parts.members[target.member]?.isMember !== true) return false
    const body = { type: target.kind === 'member' ? 1 : 0, allow: bits('allow'), deny: bits('deny') }
    return this.#does('PUT', `/v1/channels/${this.#parts.channels[channel]}/permissions/${ids[target.kind]}`, body)
  }

  async #giveOrTake({ member: number, role }: Extract<Step, { type: 'role' }>): Promise<boolean> {
    const member = this.#parts.members[number]
    if (member?.isMember !== true) return false
    const has = member.roles.has(role)
    if (has) member.roles.delete(role)
    else member.roles.add(role)
    const path = `/v1/guilds/${this.#parts.home.id}/members/${member.account.id}/roles/${this.#parts.roles[role]}`
    return this.#does(has ? 'DELETE' : 'PUT', path)
  }

  async #leaveOrJoin({ member: number }: Extract<Step, { type: 'membership' }>): Promise<boolean> {
    const member = this.#parts.members[number]
    if (!member) return false
    if (member.isMember) {
      member.roles.clear()
      await this.#does('DELETE', `/v1/guilds/${this.#parts.home.id}/members/${member.account.id}`)
    } else bodyOf(await accept(this.#parts.guildhall, member.account, this.#parts.code))
    member.isMember = !member.isMember
    return true
  }

  async #startThread({ channel, isPrivate }: Extract<Step, { type: 'thread' }>): Promise<boolean> {
    const { started } = threadsOf(this.#parts.guildhall)
    const parent = this.#parts.channels[channel] ?? ''
    this.#threads.push({ id: await started(this.#parts.home.owner, parent, { type: isPrivate ? 12 : 11 }), isPrivate })
    return true
  }

  async #addToThread({ thread, member: number }: Extract<Step, { type: 'thread member' }>): Promise<boolean> {
    const [place, member] = [this.#picked(this.#threads, thread), this.#parts.members[number]]
    if (!place || member?.isMember !== true) return false
    // Who cannot view the parent cannot be added.
    await threadsOf(this.#parts.guildhall).join(this.#parts.home.owner, place.id, member.account.id)
    return true
  }

  async #say({ place: number, withFile }: Extract<Step, { type: 'send' }>): Promise<boolean> {
    const channel = this.#picked(this.#places(), number) ?? this.#parts.home.channel
    const { owner } = this.#parts.home
    const parts = [payload({ content: 'see' }), file('files[0]', 'notes.txt', 'Notes')]
    if (!withFile) return this.#says(channel, { content: 'hello' })
    const { id } = bodyOf(await sendForm(this.#parts.guildhall, owner, channel, parts, { headers: threadsHeader }))
    this.#said.push({ id: String(id), channel })
    return true
  }

  async #reply({ message }: Extract<Step, { type: 'reply' }>): Promise<boolean> {
    const to = this.#picked(this.#said, message)
    if (!to) return false
    return this.#says(to.channel, { content: 'yes', message_reference: { message_id: to.id } })
  }

  async #says(channel: string, body: object): Promise<boolean> {
    const { token } = this.#parts.home.owner
    const answer = await this.#parts.guildhall.request('POST', messagesPath(channel), {
      token,
      body,
      headers: threadsHeader,
    })
    this.#said.push({ id: String(bodyOf(answer)['id']), channel })
    return true
  }

  async #change(what: OnMessage, said: Said | undefined): Promise<boolean> {
    if (!said) return false
    const path = messagesPath(said.channel, said.id)
    const reaction = `${path}/reactions/${encodeURIComponent('👍')}/@me`
    switch (what) {
      case 'edit':
        return this.#does('PATCH', path, { content: `edited ${this.#marks}` })
      case 'react':
        return this.#does('PUT', reaction)
      case 'unreact':
        return this.#does('DELETE', reaction)
      case 'pin':
        return this.#does('PUT', `/v1/channels/${said.channel}/pins/${said.id}`)
      default:
        this.#said = this.#said.filter((each) => each !== said)
        return this.#does('DELETE', path)
    }
  }

  async #loseOrResume({ member: number }: Extract<Step, { type: 'connection' }>): Promise<boolean> {
    const watcher = this.#parts.members[number]?.watcher
    if (!watcher) return false
    if (watcher.isThere()) watcher.lose()
    else await watcher.resume()
    return true
  }

  async #does(method: string, path: string, body?: object): Promise<boolean> {
    const { token } = this.#parts.home.owner
    const headers = threadsHeader
    const answer = await this.#parts.guildhall.request(method, path, { token, headers, ...(body && { body }) })
    bodyOf(answer)
    return true
  }

  #places(): readonly string[] {
    return [...this.#parts.channels, ...this.#threads.map(({ id }) => id)]
  }

  #picked<Item>(items: readonly Item[], number: number): Item | undefined {
    return items[number % items.length]
  }
}

interface Parts {
  readonly guildhall: TestGuildhall
  readonly home: Place
  readonly square: { readonly channel: string }
  readonly owner: Watcher
  readonly members: readonly Member[]
  readonly roles: readonly string[]
  readonly channels: readonly string[]
  readonly code: string
}
