#include "models.h"
#include "check.h"

interlock_rows_options default_options(void) {
    interlock_rows_options options;
    OK(interlock_rows_options_init(&options));
    options.audits = 1;
    return options;
}

interlock_rows_model make_model(interlock_rows_options options) {
    interlock_rows_model model;
    OK(interlock_rows_create(&options, &model));
    return model;
}

interlock_rows_model make_model_over(interlock_rows_core *core, interlock_rows_options options) {
    interlock_rows_model model;
    OK(interlock_rows_create_over(&options, core, &model));
    return model;
}

void observe(interlock_rows_model model, mirror *mirror) {
    mirror->model = model;
    interlock_rows_observer observer = mirror_observer(mirror);
    OK(interlock_rows_observe(model, &observer, &mirror->registration));
    OK(interlock_rows_restart(model, 0));
}

void finish(interlock_rows_model model, mirror *mirror) {
    OK(interlock_rows_destroy(model));
    CHECK(mirror->destroyed == 1);
    mirror_clear(mirror);
    CHECK(interlock_rows_live_handles() == 0);
}

interlock_rows_account account_of(interlock_rows_model model) {
    interlock_rows_account account = {.size = sizeof account};
    OK(interlock_rows_audit(model, &account));
    return account;
}

bool shows_latest(interlock_rows_model model, const mirror *mirror) {
    interlock_rows_snapshot latest;
    OK(interlock_rows_latest(model, &latest));
    bool is_equal = mirror_equals(mirror, latest);
    OK(interlock_rows_snapshot_release(latest));
    return is_equal;
}
