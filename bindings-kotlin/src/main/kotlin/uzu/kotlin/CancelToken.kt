package uzu.kotlin

/** Asks for the end of a reply. Any thread may cancel, at any time, any number of times. */
class CancelToken {
    private var listener: (() -> Unit)? = null

    @Volatile
    var isCancelled: Boolean = false
        private set

    fun cancel() {
        val called = synchronized(this) {
            isCancelled = true
            listener.also { listener = null }
        }
        called?.invoke()
    }

    /** Has the cancel call it: now, if it has come already. */
    internal fun onCancel(cancelled: () -> Unit) {
        val now = synchronized(this) {
            if (!isCancelled) {
                listener = cancelled
            }
            isCancelled
        }
        if (now) {
            cancelled()
        }
    }

    companion object {
        @JvmStatic
        fun create(): CancelToken = CancelToken()
    }
}
