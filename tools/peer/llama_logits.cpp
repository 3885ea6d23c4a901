// Logits of llama.cpp for comparisons with ours: llama_logits MODEL IDS OUT THREADS
// IDS: int32 token ids of one sequence; OUT: float32 [ids, vocabulary], in the order of the ids.
// Built by CMakeLists.txt beside it, which tools/tools bench greedy and test peer do by themselves.
#include "llama.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

static void quiet(ggml_log_level, const char *, void *) {}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: llama_logits MODEL IDS OUT THREADS\n");
        return 2;
    }
    llama_log_set(quiet, nullptr);
    FILE *in = fopen(words[2], "rb");
    FILE *out = fopen(words[3], "wb");
    if (!in || !out) {
        perror("llama_logits");
        return 1;
    }
    std::vector<llama_token> ids;
    for (llama_token id; fread(&id, sizeof id, 1, in) == 1;) {
        ids.push_back(id);
    }
    llama_backend_init();
    llama_model *model = llama_model_load_from_file(words[1], llama_model_default_params());
    if (!model) {
        fprintf(stderr, "llama_logits: %s can't be loaded\n", words[1]);
        return 1;
    }
    const int step = 64;
    llama_context_params params = llama_context_default_params();
    params.n_ctx = (ids.size() / 256 + 2) * 256;
    params.n_batch = params.n_ubatch = step;
    params.n_threads = params.n_threads_batch = atoi(words[4]);
    llama_context *context = llama_init_from_model(model, params);
    if (!context) {
        fprintf(stderr, "llama_logits: no context\n");
        return 1;
    }
    const int vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(model));
    llama_batch batch = llama_batch_init(step, 0, 1);
    for (size_t from = 0; from < ids.size(); from += step) {
        batch.n_tokens = 0;
        for (size_t i = from; i < ids.size() && i < from + step; i++) {
            int row = batch.n_tokens++;
            batch.token[row] = ids[i];
            batch.pos[row] = i;
            batch.n_seq_id[row] = 1;
            batch.seq_id[row][0] = 0;
            batch.logits[row] = 1;
        }
        if (llama_decode(context, batch)) {
            fprintf(stderr, "llama_logits: decode failed at %zu\n", from);
            return 1;
        }
        for (int row = 0; row < batch.n_tokens; row++) {
            fwrite(llama_get_logits_ith(context, row), sizeof(float), vocabulary, out);
        }
    }
    return fclose(out) ? 1 : 0;
}
