import { keyedQueue } from '../../../application/commands/keyed-queue.ts'
import { reject } from '../../../application/commands/refused.ts'
import type { CommandOrigin, CommandOrigins, OriginRecipe } from '../../../application/ports/command-origins.ts'
import { keyOf } from '../../../application/secrets/keys.ts'
import type { Answer } from '../answer.ts'
import type { IdempotencyRow, IdempotencyRows, Turn } from './idempotency-rows.ts'
import { requestSeal, type KeyedRequest, type RequestSeal } from './keyed-request.ts'

/** The result of a command, and whether a repeat with the same key gets the same result. */
export interface Outcome {
  readonly answer: Answer
  /**
   * `final`: the key stands for this answer. `open`: the command may have written something, so the same key runs the same
   * command again. `void`: the command did nothing, so the key counts as unused.
   */
  readonly counts: 'final' | 'open' | 'void'
}

/** Makes a request with an Idempotency-Key do its work once, however often it is sent and whichever process dies in between. */
export interface Idempotency {
  /**
   * Runs a command, or gives the answer of an earlier request with the same key, with `Idempotent-Replayed: true`. Refuses with
   * CONFLICT if the key stands for another request, or if the earlier one is still at work after `turnWait_ms_max`.
   */
  once(request: KeyedRequest, run: (origin: CommandOrigin) => Promise<Outcome>): Promise<Answer>
}

export interface IdempotencySettings {
  readonly rows: IdempotencyRows
  readonly origins: CommandOrigins
  /** 32 bytes: PERSONAL_DATA_KEY, or a key derived from it. */
  readonly secret: Uint8Array
  /** Called when an answer could not be stored. The same key then runs the command again, which changes nothing. */
  readonly onStoringFailure: (error: unknown) => void
  readonly turnWait_ms_max?: number
}

const turnWait_ms_max = 10_000
const turnPoll_ms = 100

const [recipePart, answerPart] = ['recipe', 'answer']

/** Keeps its state in rows. Two requests with one key take turns, even in different processes. */
export function idempotencyOver(settings: IdempotencySettings): Idempotency {
  const turns = keyedQueue()
  const secret = keyOf(settings.secret)
  return {
    once(request, run) {
      const seal = requestSeal(secret, request)
      return turns.run(seal.id.toString('base64'), () => inTurn(settings, seal, run))
    },
  }
}

type Run = (origin: CommandOrigin) => Promise<Outcome>

async function inTurn(settings: IdempotencySettings, seal: RequestSeal, run: Run): Promise<Answer> {
  const { rows, origins } = settings
  const until = performance.now() + (settings.turnWait_ms_max ?? turnWait_ms_max)
  const recipe = origins.newRecipe()
  const row = newRow(seal, recipe)
  do {
    const claimed = await rows.claim(row)
    if (claimed.outcome === 'taken') {
      const { turn, earlier } = claimed
      const origin = earlier ? origins.follow(recipeOf(seal, earlier), true) : origins.follow(recipe, false)
      return runAndKeep(settings, { seal, turn }, () => run(origin))
    }
    if (!seal.fingerprint.equals(claimed.row.fingerprint)) return reject('CONFLICT')
    if (claimed.row.sealedAnswer) return replayed(seal, claimed.row.sealedAnswer)
    await new Promise((resolve) => setTimeout(resolve, turnPoll_ms))
  } while (performance.now() < until)
  return reject('CONFLICT')
}

function newRow(seal: RequestSeal, recipe: OriginRecipe): Omit<IdempotencyRow, 'sealedAnswer'> {
  return {
    id: seal.id,
    fingerprint: seal.fingerprint,
    commandId: recipe.commandId,
    sealedRecipe: seal.seal(recipePart, JSON.stringify(recipe)),
  }
}

/** newRow sealed it, and sealing authenticates it. */
function recipeOf(seal: RequestSeal, { sealedRecipe }: IdempotencyRow): OriginRecipe {
  return JSON.parse(seal.unseal(recipePart, sealedRecipe)) as OriginRecipe
}

interface Held {
  readonly seal: RequestSeal
  readonly turn: Turn
}

async function runAndKeep(settings: IdempotencySettings, held: Held, run: () => Promise<Outcome>): Promise<Answer> {
  const { rows, onStoringFailure } = settings
  const outcome = await run().catch(async (error: unknown) => {
    await rows.release(held.turn).catch(onStoringFailure)
    throw error
  })
  try {
    return await keep(settings, held, outcome)
  } catch (error) {
    onStoringFailure(error)
    await rows.release(held.turn).catch(onStoringFailure)
    return outcome.answer
  }
}

/**
 * If this process hung until its turn was over, the request with the next turn may have answered already: then this request
 * gives the same answer.
 */
async function keep({ rows }: IdempotencySettings, { seal, turn }: Held, { answer, counts }: Outcome): Promise<Answer> {
  if (counts === 'void') await rows.remove(turn)
  else if (counts === 'open') await rows.release(turn)
  else if (!(await rows.answer(turn, seal.seal(answerPart, JSON.stringify(answer))))) {
    const later = await rows.find(seal.id)
    if (later?.sealedAnswer && seal.fingerprint.equals(later.fingerprint)) return replayed(seal, later.sealedAnswer)
  }
  return answer
}

/** Answers of operations are JSON text or empty, so they come back unchanged. */
function replayed(seal: RequestSeal, sealedAnswer: Uint8Array): Answer {
  const answer = JSON.parse(seal.unseal(answerPart, sealedAnswer)) as Answer
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } }
}
