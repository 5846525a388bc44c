import { checkSync } from 'recheck'

// Four rules that oxlint does not bring. .oxlintrc.json says where each holds; test/import-rules.test.ts plants offences.

const isDate = (node) => node.type === 'Identifier' && node.name === 'Date'

/** `new Date()` and `Date()` read the clock; `new Date(milliseconds)` does not. */
const clocklessDate = {
  create(context) {
    const message = 'the domain has no clock: the time comes in with the command'
    return {
      NewExpression(node) {
        if (isDate(node.callee) && node.arguments.length === 0) context.report({ node, message })
      },
      CallExpression(node) {
        if (isDate(node.callee)) context.report({ node, message })
      },
    }
  },
}

/** no-unused-vars sees an unused binding; a catch clause without any binding uses what it caught even less. */
const bindCaught = {
  create(context) {
    return {
      CatchClause(node) {
        if (!node.param) context.report({ node, message: 'a catch clause names and uses what it caught' })
      },
    }
  },
}

// Steps are counted, and the seed is fixed: what a pattern is found to be does not depend on how busy the machine is.
const checking = { timeout: null, attackTimeout: null, incubationTimeout: null, randomSeed: 0 }
const checked = new Map()

/** A pattern that may take more than linear time lets a sender stop the process with a short text. */
const linearPattern = {
  create(context) {
    return {
      Literal(node) {
        if (!node.regex) return
        const { pattern, flags } = node.regex
        const key = `${flags}/${pattern}`
        if (!checked.has(key)) checked.set(key, checkSync(pattern, flags, checking))
        const { status, complexity } = checked.get(key)
        if (status === 'safe') return
        const why = complexity?.summary ?? 'no answer in time'
        context.report({
          node,
          message: `this pattern takes more than linear time (${why}): bound it, or scan by hand`,
        })
      },
    }
  },
}

const bounds = ['toBeLessThan', 'toBeLessThanOrEqual']
const isCallOf = (text, names) => names.some((name) => text.includes(`${name}(`))

/** A machine may be slow or busy: a time in a test is bounded by the pace of the machine, or by the patience of all tests. */
const pacedBound = {
  create(context) {
    const textOf = (node) => context.sourceCode.getText(node)
    const isPaced = (text) => isCallOf(text, ['paced']) || /\bpatience_ms\b/.test(text)
    const isTime = (text) =>
      (/_m?s(?:_max)?\b/.test(text) || isCallOf(text, ['performance.now', 'Date.now'])) && !text.includes('processor')
    const message = 'a bound in time is patience_ms or paced(...) of test/support/pace.ts'
    return {
      Property(node) {
        const isTimeout = node.key.type === 'Identifier' && node.key.name === 'timeout'
        if (isTimeout && !isPaced(textOf(node.value))) context.report({ node, message })
      },
      CallExpression(node) {
        const {
          callee,
          arguments: [bound],
        } = node
        if (callee.type !== 'MemberExpression' || !bounds.includes(callee.property.name) || !bound) return
        if (isTime(textOf(node)) && !isPaced(textOf(bound))) context.report({ node, message })
      },
    }
  },
}

export default {
  meta: { name: 'guildhall' },
  rules: {
    'clockless-date': clocklessDate,
    'bind-caught': bindCaught,
    'linear-pattern': linearPattern,
    'paced-bound': pacedBound,
  },
}
