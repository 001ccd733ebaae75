package com.example.chat

import androidx.compose.foundation.layout.Arrangement
import androidx.compose.foundation.layout.Box
import androidx.compose.foundation.layout.Column
import androidx.compose.foundation.layout.Row
import androidx.compose.foundation.layout.fillMaxSize
import androidx.compose.foundation.layout.fillMaxWidth
import androidx.compose.foundation.layout.imePadding
import androidx.compose.foundation.layout.padding
import androidx.compose.foundation.layout.safeDrawingPadding
import androidx.compose.foundation.layout.widthIn
import androidx.compose.foundation.lazy.LazyColumn
import androidx.compose.foundation.lazy.items
import androidx.compose.foundation.lazy.rememberLazyListState
import androidx.compose.foundation.text.selection.SelectionContainer
import androidx.compose.material3.Button
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.OutlinedButton
import androidx.compose.material3.OutlinedTextField
import androidx.compose.material3.Surface
import androidx.compose.material3.Text
import androidx.compose.material3.TextButton
import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Alignment
import androidx.compose.ui.Modifier
import androidx.compose.ui.res.stringResource
import androidx.compose.ui.semantics.LiveRegionMode
import androidx.compose.ui.semantics.liveRegion
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.unit.dp

class ChatActions(
    val send: (String) -> Unit,
    val stop: () -> Unit,
    val tryAgain: () -> Unit,
    val beginAnew: () -> Unit,
    val signIn: () -> Unit,
    val signOut: () -> Unit,
)

@Composable
fun ChatScreen(conversation: Conversation, actions: ChatActions) {
    Surface(Modifier.fillMaxSize()) {
        Column(Modifier.safeDrawingPadding().imePadding().padding(horizontal = 16.dp)) {
            Row(Modifier.fillMaxWidth(), Arrangement.SpaceBetween) {
                TextButton(actions.beginAnew) { Text(stringResource(R.string.begin_anew)) }
                TextButton(actions.signOut) { Text(stringResource(R.string.sign_out)) }
            }
            Messages(conversation.messages, Modifier.weight(1f))
            conversation.notice?.let { NoticeRow(it, actions) }
            Composer(conversation.isBusy, actions)
        }
    }
}

@Composable
private fun Messages(messages: List<Message>, modifier: Modifier) {
    val list = rememberLazyListState()
    // To the end, unless the reader has scrolled up.
    LaunchedEffect(messages.size, messages.lastOrNull()?.text?.length) {
        if (messages.isNotEmpty() && !list.canScrollForward) list.scrollToItem(messages.lastIndex, Int.MAX_VALUE)
    }
    LazyColumn(modifier.fillMaxWidth(), list, verticalArrangement = Arrangement.spacedBy(12.dp)) {
        items(messages, key = { it.id }) { MessageRow(it) }
    }
}

@Composable
private fun MessageRow(message: Message) {
    if (message.kind == Message.Kind.TOOL) {
        Text(message.text, style = MaterialTheme.typography.bodySmall, color = MaterialTheme.colorScheme.onSurfaceVariant)
        return
    }
    val isUser = message.kind == Message.Kind.USER
    val colour = if (isUser) MaterialTheme.colorScheme.primaryContainer else MaterialTheme.colorScheme.surface
    Box(Modifier.fillMaxWidth(), if (isUser) Alignment.CenterEnd else Alignment.CenterStart) {
        Surface(Modifier.widthIn(max = 560.dp), MaterialTheme.shapes.medium, colour) {
            // As text: what a model says is a stranger's input.
            SelectionContainer { Text(message.text, Modifier.padding(if (isUser) 12.dp else 0.dp)) }
        }
    }
}

@Composable
private fun NoticeRow(notice: Notice, actions: ChatActions) {
    val text = when (notice) {
        is Notice.Said -> notice.text
        Notice.Unreachable -> stringResource(R.string.unreachable)
        Notice.SignedOut -> stringResource(R.string.signed_out)
    }
    Row(Modifier.fillMaxWidth(), Arrangement.SpaceBetween, Alignment.CenterVertically) {
        Text(text, Modifier.weight(1f).semantics { liveRegion = LiveRegionMode.Polite })
        when (notice) {
            is Notice.Said -> Unit
            Notice.Unreachable -> TextButton(actions.tryAgain) { Text(stringResource(R.string.try_again)) }
            Notice.SignedOut -> TextButton(actions.signIn) { Text(stringResource(R.string.sign_in)) }
        }
    }
}

@Composable
private fun Composer(isBusy: Boolean, actions: ChatActions) {
    var text by rememberSaveable { mutableStateOf("") }
    Row(
        Modifier.fillMaxWidth().padding(vertical = 8.dp),
        Arrangement.spacedBy(8.dp),
        Alignment.CenterVertically,
    ) {
        OutlinedTextField(
            text,
            { text = it },
            Modifier.weight(1f),
            label = { Text(stringResource(R.string.message)) },
            maxLines = 5,
        )
        if (isBusy) {
            OutlinedButton(actions.stop) { Text(stringResource(R.string.stop)) }
        } else {
            Button({ actions.send(text).also { text = "" } }, enabled = text.isNotBlank()) { Text(stringResource(R.string.send)) }
        }
    }
}

@Composable
fun SignInScreen(signIn: () -> Unit) {
    Surface(Modifier.fillMaxSize()) {
        Box(contentAlignment = Alignment.Center) { Button(signIn) { Text(stringResource(R.string.sign_in)) } }
    }
}
